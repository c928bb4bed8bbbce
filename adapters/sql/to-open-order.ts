import type { RecordOf } from '../records.ts'
import type { Row } from './row.ts'

export const toOpenOrder = (row: Row): RecordOf<'openOrders'> => ({
  document: row.code('document'),
  line: row.code('line'),
  sku: row.code('sku'),
  location: row.code('location'),
  quantity: row.units('quantity'),
  due: row.dayOrNull('due'),
  reference: row.codeOrNull('reference'),
  supplier: row.codeOrNull('supplier'),
  orderedOn: row.dayOrNull('ordered_on'),
})
