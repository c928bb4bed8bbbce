import type { RecordOf } from '../records.ts'
import type { Row } from './row.ts'

export const toReceipt = (row: Row): RecordOf<'receipts'> => ({
  document: row.code('document'),
  receipt: row.code('receipt', 210),
  line: row.code('line'),
  sku: row.code('sku'),
  location: row.code('location'),
  supplier: row.codeOrNull('supplier'),
  orderedOn: row.dayOrNull('ordered_on'),
  due: row.dayOrNull('due'),
  receivedOn: row.day('received_on'),
  quantity: row.quantity('quantity'),
  reference: row.codeOrNull('reference'),
})
