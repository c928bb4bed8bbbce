import { names } from '../rows/names.ts'
import { Retriable } from '../errors.ts'
import { addRecord, type Known, type SnapshotPage, startWithoutWaiting } from '../rows/pages.ts'
import type { StockRow } from './entities.ts'
import { STOCK } from './services.ts'
import { readPairs } from './pairs.ts'
import type { System } from './system.ts'
import { type PairStock, toStock } from './to-product.ts'
import { exactOf, problemOf } from '../rows/values.ts'

export const STOCKS = {
  service: STOCK,
  set: 'A_MatlStkInAcctMod',
  key: names(
    `Material Plant StorageLocation Batch Supplier Customer WBSElementInternalID SDDocument
     SDDocumentItem InventorySpecialStockType InventoryStockType`,
  ),
  // Special stock belongs to a supplier, a customer or a project.
  filter: "InventorySpecialStockType eq ''",
}

/** Records per page of pairs without stock. */
const PAGE_ROWS = 1_000

/** Pairs with stock first, then pairs without stock, for which the ERP has no stock rows. */
export async function* readStock(
  system: System,
  signal: AbortSignal,
  known: Known,
): AsyncGenerator<SnapshotPage<'stock'>> {
  const pairs = startWithoutWaiting(readPairs(system, known, signal))
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
  const { keys, cursor } = await pairs
  const last: SnapshotPage<'stock'> = { records: [], quarantined: [], done, total, cursor }
  if (pair) finishPair(pair, seen, last)
  yield last
  const without = keys.filter(({ sku, location }) => !seen.has(keyOf(sku, location)))
  for (let at = 0; at < without.length; at += PAGE_ROWS) {
    const records = without
      .slice(at, at + PAGE_ROWS)
      .map((key) => toStock({ ...key, byType: new Map(), problem: null }))
    yield { records, quarantined: [], done, total }
  }
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
