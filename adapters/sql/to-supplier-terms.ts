import type { RecordOf } from '../records.ts'
import type { Row } from './row.ts'

export const toSupplierTerms = (row: Row): RecordOf<'supplierTerms'> => ({
  supplier: row.code('supplier'),
  location: row.codeOrAll('location'),
  minimumOrderValue: row.moneyOrNull('minimum_order_value'),
  minimumOrderQuantity: row.unitsOrNull('minimum_order_quantity'),
  freeFreightFrom: row.moneyOrNull('free_freight_from'),
  freightCost: row.moneyOrNull('freight_cost'),
  ordersByLocation: row.flagOrNull('orders_by_location'),
})
