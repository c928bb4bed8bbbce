// A SKU that the ERP calls otherwise now: what is stored of it goes by its new code from then on.
import { removeSeriesNamed } from '../demand/series.ts'
import {
  type AnyEntity,
  type AnyRow,
  Batches,
  CustomerOrders,
  ErpForecasts,
  ForecastOverrides,
  OpenOrders,
  PlannedEvents,
  Planning,
  Policies,
  PriceBreaks,
  Proposals,
  QuarantinedRows,
  readAs,
  Receipts,
  Reservations,
  Series,
  Skus,
  Stock,
  StockHistories,
} from '../entities.ts'
import { replaceSkuInKey } from '../open-key.ts'

/** A SKU as it was called, and as it is called now. */
export interface Renaming {
  from: string
  to: string
}

/** What was read of a SKU, with a key of its own. */
const READ: AnyEntity[] = [OpenOrders, CustomerOrders, Reservations, Receipts, QuarantinedRows]

/** What was read of a SKU, which is part of the key. */
const KEYED: AnyEntity[] = [Planning, PriceBreaks, Stock, Batches, StockHistories, ErpForecasts]

/**
 * Moves all that is stored of a SKU, in the caller's transaction. No SKU has the new code; nothing else of the source may be
 * read meanwhile.
 */
export async function renameSku(source: number, { from, to }: Renaming): Promise<void> {
  const [own, renamed] = [{ source_ID: source, sku: from }, { sku: to }]
  for (const entity of KEYED) await DELETE.from(entity).where({ source_ID: source, sku: to })
  for (const entity of [...READ, ...KEYED]) await UPDATE.entity(entity).set(renamed).where(own)
  await removeSeriesNamed(source, to)
  await UPDATE.entity(Series)
    .set({ ...renamed, dirty: true, dueForProposal: true })
    .where(own)
  await UPDATE.entity(Skus).set(renamed).where(own)
  await UPDATE.entity(Skus).set({ successor: to }).where({ source_ID: source, successor: from })
  await UPDATE.entity(Planning).set({ successor: to }).where({ source_ID: source, successor: from })
  await renameProposals(source, { from, to })
  if (await SELECT.one.from(Skus).columns('sku').where({ sku: from })) return
  await UPDATE.entity(ForecastOverrides).set(renamed).where({ sku: from })
  await renameUnlessTaken(Policies, POLICY, { from, to })
  await renameUnlessTaken(PlannedEvents, EVENT, { from, to })
}

/** Those that wait for a decision or for their order in the ERP. */
async function renameProposals(source: number, { from, to }: Renaming): Promise<void> {
  const rows = await readAs<{ ID: number; openKey: string | null }>(
    SELECT.from(Proposals).columns('ID', 'openKey').where`source_ID = ${source} and sku = ${from}
      and (openKey is not null or (status = 'approved' and erpOrder is null))`,
  )
  for (const { ID, openKey } of rows)
    await UPDATE.entity(Proposals)
      .set({ sku: to, openKey: openKey && replaceSkuInKey(openKey, to) })
      .where({ ID })
}

/** What was said of the new code already stays, and what was said of the old one beside it. */
async function renameUnlessTaken(
  entity: AnyEntity,
  key: readonly string[],
  { from, to }: Renaming,
): Promise<void> {
  const rowsOf = (sku: string) =>
    readAs<AnyRow>(
      SELECT.from(entity)
        .columns(...key)
        .where({ sku }),
    )
  const keyOf = (row: AnyRow) => JSON.stringify(key.map((name) => row[name]))
  const taken = new Set((await rowsOf(to)).map(keyOf))
  for (const row of await rowsOf(from))
    if (!taken.has(keyOf({ ...row, sku: to })))
      await UPDATE.entity(entity).set({ sku: to }).where(row)
}

const POLICY = ['level', 'skuGroup', 'supplier', 'sku', 'location']
const EVENT = ['source_ID', 'sku', 'location', 'skuGroup', 'kind', 'firstDay', 'name', 'origin']
