import type { RecordOf } from '../records.ts'
import type { Row } from './row.ts'

export const toPriceBreak = (row: Row): RecordOf<'priceBreaks'> => ({
  sku: row.code('sku'),
  location: row.codeOrAll('location'),
  supplier: row.codeOrAll('supplier'),
  fromQuantity: row.units('from_quantity'),
  unitCost: row.money('unit_cost'),
})
