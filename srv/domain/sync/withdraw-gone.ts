// Products that the ERP no longer has, as the rows of their orders say: a full sync removes them, until then nothing is
// proposed for them.
import { QuarantinedRows, readAs, Skus } from '../../base/database/entities.ts'
import { inChunks } from '../../base/database/rows.ts'
import { markForProposal } from '../../base/database/proposal-marks.ts'
import { guardDeletion } from '../../base/database/records/target.ts'
import type { Run } from './run.ts'

/** The code of such a row. */
export const GONE = 'product_gone'

/**
 * Before anything is proposed. So many as a full sync would not believe stay as they are, with their rows as issues. What an
 * earlier sync found says nothing: the product may be back since.
 */
export async function withdrawGoneProducts({
  ID: sync,
  source,
  guard,
}: Pick<Run, 'ID' | 'source' | 'guard'>) {
  const bought = { source_ID: source, and: { purchasable: null, or: { purchasable: true } } }
  const rows = await readAs<{ sku: string }>(
    SELECT.distinct
      .from(QuarantinedRows)
      .columns('sku')
      .where({ source_ID: source, sync, code: GONE, sku: { '>': '' } }),
  )
  const gone: { sku: string }[] = []
  for (const chunk of inChunks(rows.map(({ sku }) => sku)))
    gone.push(
      ...(await SELECT.from(Skus)
        .columns('sku')
        .where({ ...bought, sku: { in: chunk } })),
    )
  if (!gone.length) return
  const [all] = await readAs<{ n: number }>(
    SELECT.from(Skus).columns('count(*) as n').where({ source_ID: source }),
  )
  if (!isBelieved(gone.length, Number(all!.n), guard)) return
  for (const chunk of inChunks(gone.map(({ sku }) => sku)))
    await UPDATE.entity(Skus)
      .set({ purchasable: false })
      .where({ source_ID: source, sku: { in: chunk } })
  await markForProposal(source, gone)
}

function isBelieved(...counts: Parameters<typeof guardDeletion>): boolean {
  try {
    guardDeletion(...counts)
    return true
  } catch {
    return false
  }
}
