/** A read that would delete more than `share` of at least `minRows` rows is not believed. */
export interface DeletionGuard {
  share: number
  minRows: number
}

export class DeletionRefused extends Error {
  override name = 'DeletionWithheld'
}

/**
 * @param gone rows that would be deleted
 * @param total rows there are
 * @throws DeletionWithheld
 */
export function guardDeletion(gone: number, total: number, { share, minRows }: DeletionGuard) {
  if (total < minRows || gone <= total * share) return
  throw new DeletionRefused(
    `${gone} of ${total} rows are missing from the source: too many to be believed. They are kept; ` +
      'raise restock.deletionGuard.share and synchronise in full if they are really gone.',
  )
}
