import cds from '@sap/cds'

const { SELECT } = cds.ql

/** A read that would delete more than `share` of at least `minRows` rows is not believed. */
export interface DeletionGuard {
  share: number
  minRows: number
}

export class DeletionWithheld extends Error {
  override name = 'DeletionWithheld'
}

type Where = Record<string, unknown>

const count = async (entity: string, where: Where): Promise<number> =>
  (await SELECT.one.from(entity).columns('count(*) as n').where(where)).n

/** @throws DeletionWithheld */
export async function guardDeletion(entity: string, all: Where, gone: Where, guard: DeletionGuard) {
  const rows = await count(entity, gone)
  if (!rows) return
  const total = await count(entity, all)
  if (total >= guard.minRows && rows > total * guard.share) {
    throw new DeletionWithheld(
      `${rows} of ${total} rows are missing from the source: too many to be believed. They are kept; ` +
        'raise restock.deletionGuard.share and synchronise in full if they are really gone.',
    )
  }
}
