import { readRows } from './rows.ts'
import type { Row } from '../odata/object-set.ts'
import type { EntitySet } from '../odata/set.ts'

export interface StockOfPair {
  /** Unrestricted own stock (01); 0 where the ERP has no row, or less than none. */
  onHand: number
  /** How much less than none there is. */
  backorders: number
  /** Stock in inspection (02). */
  inInspection: number
  /** Blocked stock (07). */
  blocked: number
  /** Stock in transit (06). */
  inTransit: number
  /** Under way between storage locations (04) and plants (05), which no order says. */
  inTransfer: number
  /** Own stock by its type. */
  stockByType: Record<string, number>
}

/** Sums a pair's rows over storage locations and batches, without special stock, which others own. */
export class StockTruth {
  readonly #rows: Iterator<Row>
  #row: Row | undefined

  constructor(set: EntitySet) {
    this.#rows = readRows(set)
    this.#row = this.#rows.next().value as Row | undefined
  }

  /** Call it for the pairs in key order. */
  next(sku: string, location: string): StockOfPair {
    const stockByType: Record<string, number> = {}
    for (; this.#row; this.#row = this.#rows.next().value as Row | undefined) {
      const { Material, Plant, InventoryStockType, InventorySpecialStockType } = this.#row
      if (Material !== sku || Plant !== location) {
        if (Material! > sku || (Material === sku && Plant! > location)) break
        continue
      }
      if (InventorySpecialStockType !== '') continue
      const type = String(InventoryStockType)
      const quantity = Number(this.#row.MatlWrhsStkQtyInMatlBaseUnit)
      stockByType[type] = (stockByType[type] ?? 0) + quantity
    }
    const of = (type: string) => stockByType[type] ?? 0
    return {
      onHand: Math.max(0, of('01')),
      backorders: Math.max(0, -of('01')),
      inInspection: of('02'),
      blocked: of('07'),
      inTransit: of('06'),
      inTransfer: of('04') + of('05'),
      stockByType,
    }
  }
}
