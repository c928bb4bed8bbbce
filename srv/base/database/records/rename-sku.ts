// A SKU that the ERP calls otherwise now: what is stored of it goes by its new code from then on.
import { removeSeriesNamed } from '../demand/series.ts'
import {
  type AnyEntity,
  type AnyRow,
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

/** What an admin or the ERP has said of a SKU, whichever source it is of. */
const OF_PEOPLE: AnyEntity[] = [ForecastOverrides, PlannedEvents]

/** What was read of a SKU, with a key of its own. */
const READ: AnyEntity[] = [OpenOrders, CustomerOrders, Reservations, Receipts, QuarantinedRows]

/** What was read of a SKU, which is part of the key. */
const KEYED: AnyEntity[] = [Planning, PriceBreaks, Stock, StockHistories, ErpForecasts]

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
  for (const entity of OF_PEOPLE) await UPDATE.entity(entity).set(renamed).where({ sku: from })
  await renamePolicies({ from, to })
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

/** A rule that has been made for the new code stays. */
async function renamePolicies({ from, to }: Renaming): Promise<void> {
  const [rows, present] = await Promise.all([
    readAs<AnyRow>(
      SELECT.from(Policies)
        .columns(...POLICY_KEY)
        .where({ sku: from }),
    ),
    readAs<AnyRow>(
      SELECT.from(Policies)
        .columns(...POLICY_KEY)
        .where({ sku: to }),
    ),
  ])
  const taken = new Set(present.map(policyKey))
  for (const row of rows)
    if (!taken.has(policyKey({ ...row, sku: to })))
      await UPDATE.entity(Policies).set({ sku: to }).where(row)
}

const POLICY_KEY = ['level', 'skuGroup', 'supplier', 'sku', 'location'] as const
const policyKey = (row: AnyRow) => JSON.stringify(POLICY_KEY.map((name) => row[name]))
