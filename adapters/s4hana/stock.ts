import { Retriable } from '../errors.ts'
import { begun } from './odata/ahead.ts'
import type { ProductPlantRow, StockRow } from './rows.ts'
import { PRODUCT, STOCK } from './services.ts'
import type { Chunk } from './snapshot.ts'
import type { System } from './system.ts'
import { take } from './take.ts'
import { type PairStock, toStock } from './to-stock.ts'
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

/** Records of a chunk that no page of the ERP bounds. */
const CHUNK = 1_000

/** Pairs with stock as they come, then those that have none: the ERP has no rows for them. */
export async function* stock(system: System, signal: AbortSignal): AsyncGenerator<Chunk<'stock'>> {
  const known = begun(knownPairs(system, signal))
  const seen = new Set<string>()
  let [done, total]: [number, number | null] = [0, null]
  let pair = null as PairStock | null
  const query = { ...STOCKS, select: [...STOCKS.key, 'MatlWrhsStkQtyInMatlBaseUnit'] }
  for await (const page of system.pages<StockRow>(query, {}, signal)) {
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
  const without = (await known).filter((key) => !seen.has(key))
  for (let at = 0; at < without.length; at += CHUNK) {
    const records = without.slice(at, at + CHUNK).map((key) => {
      const [sku, location] = key.split('\n') as [string, string]
      return toStock({ sku, location, byType: new Map(), problem: null })
    })
    yield { records, skipped: [], done, total }
  }
}

/** Keys of the pairs of which the ERP keeps a stock, be there some or not. */
async function knownPairs(system: System, signal: AbortSignal): Promise<string[]> {
  const keys: string[] = []
  for await (const { rows } of system.pages<ProductPlantRow>(PRODUCT_PLANTS, {}, signal)) {
    for (const { Product, Plant } of rows) keys.push(keyOf(Product, Plant))
  }
  return keys
}

const keyOf = (sku: string, location: string) => `${sku}\n${location}`

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
  const key = keyOf(pair.sku, pair.location)
  if (seen.has(key)) throw new Retriable('The stock did not come in the order of its key.')
  seen.add(key)
  const place = () => `${STOCKS.set}('${pair.sku}','${pair.location}')`
  const row = { ...pair, byType: Object.fromEntries(pair.byType) }
  take(chunk, place, row, () => toStock(pair))
}
