import { BadValue } from '../rows/bad-value.ts'
import type { RecordOf } from '../records.ts'
import type { Row } from './row.ts'

export function toSupplierTerms(row: Row): RecordOf<'supplierTerms'> {
  const freeFreightFrom = row.moneyOrNull('free_freight_from')
  const freightCost = row.moneyOrNull('freight_cost')
  if ((freeFreightFrom === null) !== (freightCost === null)) {
    const missing = freightCost === null ? 'freight_cost' : 'free_freight_from'
    throw new BadValue(
      missing,
      'is empty: freight is free from an amount, and costs something below',
    )
  }
  return {
    supplier: row.code('supplier'),
    location: row.codeOrNull('location') ?? '',
    minimumOrderValue: row.moneyOrNull('minimum_order_value'),
    minimumOrderQuantity: row.unitsOrNull('minimum_order_quantity'),
    freeFreightFrom,
    freightCost,
    ordersByLocation: row.flagOrNull('orders_by_location'),
  }
}
