import { Retriable } from '../errors.ts'
import { startWithoutWaiting } from '../rows/read-ahead.ts'
import type { ProductPlantRow, StockRow } from './entities.ts'
import { PRODUCT, STOCK } from './services.ts'
import type { SnapshotPage } from '../rows/snapshot.ts'
import type { System } from './system.ts'
import { addRecord } from '../rows/quarantine.ts'
import { type PairStock, toStock } from './to-stock.ts'
import { problemOf } from '../rows/bad-value.ts'
import { exactOf } from '../rows/values.ts'

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
  // Special stock belongs to a supplier, a customer or a project.
  filter: "InventorySpecialStockType eq ''",
}

const PRODUCT_PLANTS = {
  service: PRODUCT,
  set: 'A_ProductPlant',
  key: ['Product', 'Plant'],
  select: ['Product', 'Plant'],
}

/** Records per page of pairs without stock. */
const PAGE_ROWS = 1_000

/** Pairs with stock first, then pairs without stock, for which the ERP has no stock rows. */
export async function* readStock(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'stock'>> {
  const known = startWithoutWaiting(readKnownPairs(system, signal))
  const seen = new Set<string>()
  let [done, total]: [number, number | null] = [0, null]
  let pair = null as PairStock | null
  const query = { ...STOCKS, select: [...STOCKS.key, 'MatlWrhsStkQtyInMatlBaseUnit'] }
  for await (const page of system.pages<StockRow>(query, {}, signal)) {
    done += page.rows.length
    total ??= page.total
    const batch: SnapshotPage<'stock'> = { records: [], quarantined: [], done, total }
    for (const row of page.rows) {
      if (pair?.sku !== row.Material || pair.location !== row.Plant) {
        if (pair) finishPair(pair, seen, batch)
        pair = { sku: row.Material, location: row.Plant, byType: new Map(), problem: null }
      }
      addToPair(pair, row)
    }
    yield batch
  }
  const last: SnapshotPage<'stock'> = { records: [], quarantined: [], done, total }
  if (pair) finishPair(pair, seen, last)
  yield last
  const without = (await known).filter((key) => !seen.has(key))
  for (let at = 0; at < without.length; at += PAGE_ROWS) {
    const records = without.slice(at, at + PAGE_ROWS).map((key) => {
      const [sku, location] = key.split('\n') as [string, string]
      return toStock({ sku, location, byType: new Map(), problem: null })
    })
    yield { records, quarantined: [], done, total }
  }
}

/** Keys of all pairs whose stock the ERP manages, with or without stock. */
async function readKnownPairs(system: System, signal: AbortSignal): Promise<string[]> {
  const keys: string[] = []
  for await (const { rows } of system.pages<ProductPlantRow>(PRODUCT_PLANTS, {}, signal)) {
    for (const { Product, Plant } of rows) keys.push(keyOf(Product, Plant))
  }
  return keys
}

const keyOf = (sku: string, location: string) => `${sku}\n${location}`

function addToPair(pair: PairStock, row: StockRow): void {
  try {
    const quantity = exactOf(row.MatlWrhsStkQtyInMatlBaseUnit, 'MatlWrhsStkQtyInMatlBaseUnit')
    const type = row.InventoryStockType
    pair.byType.set(type, (pair.byType.get(type) ?? 0n) + quantity)
  } catch (error) {
    pair.problem = problemOf(error)
  }
}

const placeOf = ({ sku, location }: PairStock) => `${STOCKS.set}('${sku}','${location}')`
const excerptOf = (pair: PairStock) => ({ ...pair, byType: Object.fromEntries(pair.byType) })

function finishPair(pair: PairStock, seen: Set<string>, batch: SnapshotPage<'stock'>): void {
  const key = keyOf(pair.sku, pair.location)
  if (seen.has(key)) throw new Retriable('The stock did not come in the order of its key.')
  seen.add(key)
  addRecord(batch, pair, toStock, placeOf, excerptOf)
}
