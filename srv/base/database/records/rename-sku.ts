// A SKU that the ERP calls otherwise now: what is stored of it goes by its new code from then on.
import { MAX_CODE_LENGTH, type RecordOf } from '../../../../adapters/records.ts'
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
import { replaceSkuInKey } from '../proposal-marks.ts'

/** A SKU as it was called, and as it is called now. */
interface Renaming {
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

/** What the ERP knows the stored SKUs of a source by, whatever their codes are. */
export class Identities {
  readonly #skus = new Map<string, string>()
  readonly #identities = new Map<string, string>()

  static async load(source: number): Promise<Identities> {
    const rows = await readAs<{ sku: string; identity: string }>(
      SELECT.from(Skus)
        .columns('sku', 'identity')
        .where({ source_ID: source, identity: { '!=': null } }),
    )
    return new Identities(rows)
  }

  constructor(rows: Iterable<{ sku: string; identity: string }>) {
    for (const { sku, identity } of rows) this.#set(sku, identity)
  }

  #set(sku: string, identity: string) {
    this.#skus.set(identity, sku)
    this.#identities.set(sku, identity)
  }

  /**
   * The SKUs that are called otherwise by these records, in an order in which each new code is free. What has a code that
   * another SKU has now, and is not among the records, is called by its code and its identity.
   */
  renamings(records: readonly Pick<RecordOf<'skus'>, 'sku' | 'identity'>[]): Renaming[] {
    const found: Renaming[] = []
    const rename = (identity: string, to: string) => {
      const from = this.#skus.get(identity)!
      this.#identities.delete(from)
      this.#set(to, identity)
      found.push({ from, to })
    }
    for (const { sku, identity } of records) {
      if (!identity) continue
      const other = this.#identities.get(sku)
      if (other !== undefined && other !== identity) rename(other, numbered(sku, other))
      const before = this.#skus.get(identity)
      if (before === undefined) this.#set(sku, identity)
      else if (before !== sku) rename(identity, sku)
    }
    return found
  }
}

function numbered(code: string, identity: string): string {
  const end = ` (#${identity})`
  return code.slice(0, MAX_CODE_LENGTH - end.length) + end
}
