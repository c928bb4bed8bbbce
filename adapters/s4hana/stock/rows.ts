// Rows of stock, added up by pair.
import { names } from '../../rows/names.ts'
import { addRecord, type Batch } from '../../rows/pages.ts'
import { exactOf, problemOf } from '../../rows/values.ts'
import type { StockRow } from '../entities.ts'
import { STOCK } from '../services.ts'
import { type PairStock, toStock } from '../to-product.ts'

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

export const STOCK_ROWS = { ...STOCKS, select: [...STOCKS.key, 'MatlWrhsStkQtyInMatlBaseUnit'] }

export const keyOf = (sku: string, location: string) => `${sku}\n${location}`

/** Without stock so far. */
export const emptyPair = (sku: string, location: string): PairStock => ({
  sku,
  location,
  byType: new Map(),
  problem: null,
})

export function addToPair(pair: PairStock, row: StockRow): void {
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

export const addPair = (batch: Batch<'stock'>, pair: PairStock): void =>
  addRecord(batch, pair, toStock, placeOf, excerptOf)
