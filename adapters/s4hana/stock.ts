import { Retriable } from '../errors.ts'
import type { RecordOf } from '../records.ts'
import type { Exact } from './decimals.ts'
import type { ProductPlantRow, StockRow } from './rows.ts'
import { PRODUCT, STOCK } from './services.ts'
import type { Chunk } from './snapshot.ts'
import type { System } from './system.ts'
import { take } from './take.ts'
import { toStock } from './to-stock.ts'
import { BadValue, exactOf } from './values.ts'

export const STOCKS = {
  service: STOCK,
  set: 'A_MatlStkInAcctMod',
  key: [
    'Material',
    'Plant',
    'StorageLocation',
    'Batch',
    'Supplier',
    'Customer',
    'WBSElementInternalID',
    'SDDocument',
    'SDDocumentItem',
    'InventorySpecialStockType',
    'InventoryStockType',
  ],
  // Special stocks are a supplier's, a customer's or a project's.
  filter: "InventorySpecialStockType eq ''",
}

const PRODUCT_PLANTS = {
  service: PRODUCT,
  set: 'A_ProductPlant',
  key: ['Product', 'Plant'],
  select: ['Product', 'Plant'],
}

/** Stock of one pair, added up over its storage locations and batches. */
export interface PairStock {
  sku: string
  location: string
  byType: Map<string, Exact>
  problem: BadValue | null
}

/** Pairs with stock as they come, then those that have none: the ERP has no rows for them. */
export async function* stock(system: System, signal: AbortSignal): AsyncGenerator<Chunk<'stock'>> {
  const seen = new Set<string>()
  let [done, total]: [number, number | null] = [0, null]
  let pair = null as PairStock | null
  const query = { ...STOCKS, select: [...STOCKS.key, 'MatlWrhsStkQtyInMatlBaseUnit'] }
  for await (const page of system.pages<StockRow>(query, { withTotal: true }, signal)) {
    done += page.rows.length
    total ??= page.total
    const chunk: Chunk<'stock'> = { records: [], skipped: [], done, total }
    for (const row of page.rows) {
      if (pair?.sku !== row.Material || pair.location !== row.Plant) {
        if (pair) finish(pair, seen, chunk)
        pair = { sku: row.Material, location: row.Plant, byType: new Map(), problem: null }
      }
      add(pair, row)
    }
    yield chunk
  }
  const last: Chunk<'stock'> = { records: [], skipped: [], done, total }
  if (pair) finish(pair, seen, last)
  yield last
  for await (const { rows } of system.pages<ProductPlantRow>(PRODUCT_PLANTS, {}, signal)) {
    const records: RecordOf<'stock'>[] = []
    for (const { Product: sku, Plant: location } of rows) {
      if (seen.has(`${sku}\n${location}`)) continue
      records.push(toStock({ sku, location, byType: new Map(), problem: null }))
    }
    yield { records, skipped: [], done, total }
  }
}

function add(pair: PairStock, row: StockRow): void {
  try {
    const quantity = exactOf(row.MatlWrhsStkQtyInMatlBaseUnit, 'MatlWrhsStkQtyInMatlBaseUnit')
    const type = row.InventoryStockType
    pair.byType.set(type, (pair.byType.get(type) ?? 0n) + quantity)
  } catch (error) {
    if (!(error instanceof BadValue)) throw error
    pair.problem = error
  }
}

function finish(pair: PairStock, seen: Set<string>, chunk: Chunk<'stock'>): void {
  const key = `${pair.sku}\n${pair.location}`
  if (seen.has(key)) throw new Retriable('The stock did not come in the order of its key.')
  seen.add(key)
  const place = () => `${STOCKS.set}('${pair.sku}','${pair.location}')`
  const row = { ...pair, byType: Object.fromEntries(pair.byType) }
  take(chunk, place, row, () => toStock(pair))
}
