import type { RecordOf } from '../records.ts'
import type { Row } from './row.ts'

/** A line of an order has one receipt a day. */
export function toReceipt(row: Row): RecordOf<'receipts'> {
  const line = row.code('line')
  const receivedOn = row.day('received_on')
  return {
    document: row.code('order'),
    receipt: `${line}/${receivedOn}`,
    line,
    sku: row.code('sku'),
    location: row.code('location'),
    supplier: row.codeOrNull('supplier'),
    orderedOn: row.dayOrNull('ordered_on'),
    due: row.dayOrNull('due'),
    receivedOn,
    quantity: row.units('quantity'),
    reference: row.codeOrNull('reference'),
  }
}
