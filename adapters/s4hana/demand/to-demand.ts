// Hot path with millions of rows: it creates no objects except the records.
import { Fatal } from '../../errors.ts'
import { MAX_CODE_LENGTH, type RecordOf } from '../../records.ts'
import { type Batch, toQuarantinedRow } from '../../rows/pages.ts'
import {
  BadValue,
  codeOf,
  dayOf,
  demandDayOf,
  MAX_UNITS,
  numberOf,
  problemOf,
  unitsOf,
} from '../../rows/values.ts'
import type {
  DeliveryItemRow,
  DeliveryRow,
  MaterialDocumentItemRow,
  MaterialDocumentRow,
} from '../entities.ts'
import { isOfOthers, isTransfer, type Movements } from './movements.ts'

/**
 * Adds the demand of a material document, one record per line; returns and reversals are negative.
 * Lines of special stock, which others own, and lines without a product are skipped.
 */
export function toDemand(
  document: MaterialDocumentRow,
  movements: Movements,
  batch: Batch<'demand'>,
): void {
  const results = itemsOf(document)
  const prefix = `${document.MaterialDocumentYear}/${document.MaterialDocument}/`
  for (let at = 0; at < results.length; at++) {
    const item = results[at]!
    const sign = movements.get(item.GoodsMovementType)
    if (sign === undefined || !item.Material) continue
    if (isOfOthers(item.GoodsMovementType, item.InventorySpecialStockType)) continue
    if (item.IsAutomaticallyCreated && isTransfer(item.GoodsMovementType)) continue
    const quantity = Number(item.QuantityInBaseUnit)
    if (quantity === 0) continue
    try {
      if (!(quantity > 0 && quantity <= MAX_UNITS)) refuse()
      const { Material: sku, Plant: location } = item
      if (!location || sku.length > MAX_CODE_LENGTH || location.length > MAX_CODE_LENGTH) {
        codeOf(sku, 'Material')
        codeOf(location, 'Plant')
      }
      const original = item.ReversedMaterialDocument
      const record = {
        sku,
        location,
        date: demandDayOf(dayOf(document.PostingDate, 'PostingDate'), 'PostingDate'),
        quantity: sign * quantity,
        price: null,
        promo: null,
        document: prefix + item.MaterialDocumentItem,
      }
      batch.records.push(original ? { ...record, reversalOf: reversed(item) } : record)
    } catch (error) {
      const place = `A_MaterialDocumentItem(${prefix}${item.MaterialDocumentItem})`
      const row = { PostingDate: document.PostingDate, ...item }
      batch.quarantined.push(toQuarantinedRow(place, row, problemOf(error)))
    }
  }
}

/** @throws Fatal where the ERP did not expand the items */
function itemsOf({ to_MaterialDocumentItem: items }: MaterialDocumentRow) {
  if (Array.isArray(items)) return items
  if (Array.isArray(items?.results)) return items.results
  throw new Fatal('unexpected_content', 'The ERP gives material documents without their items.')
}

const reversed = (item: MaterialDocumentItemRow) =>
  `${item.ReversedMaterialDocumentYear}/${item.ReversedMaterialDocument}/${item.ReversedMaterialDocumentItem}`

function refuse(): never {
  throw new BadValue('QuantityInBaseUnit', `must be a number from 0 to ${MAX_UNITS}`)
}

/** Status C: the goods movement of the item is complete. */
const POSTED = 'C'

/** Null for an item without posted goods issue, or whose movement type is not demand. */
export function toDeliveryDemand(
  header: DeliveryRow,
  item: DeliveryItemRow,
  movements: Movements,
): RecordOf<'demand'> | null {
  const sign = movements.get(item.GoodsMovementType)
  if (item.GoodsMovementStatus !== POSTED || sign === undefined) return null
  if (!item.Material || isOfOthers(item.GoodsMovementType, item.InventorySpecialStockType))
    return null
  const posting = 'ActualGoodsMovementDate'
  const field = 'ActualDeliveredQtyInBaseUnit'
  const quantity = numberOf(unitsOf(item[field], field), field)
  if (!quantity) return null
  return {
    sku: codeOf(item.Material, 'Material'),
    location: codeOf(item.Plant, 'Plant'),
    date: demandDayOf(dayOf(header[posting], posting), posting),
    quantity: sign * quantity,
    price: null,
    promo: null,
    document: `${item.DeliveryDocument}/${item.DeliveryDocumentItem}`,
  }
}
