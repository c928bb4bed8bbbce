import type { RecordOf } from '../records.ts'
import { mapAbout } from '../rows/bad-value.ts'
import { dayOf } from '../rows/days.ts'
import { codeOf, codeOrNull, demandDayOf, exactOf, numberOf } from '../rows/values.ts'
import { withZero } from './decimals.ts'
import type { PairCodes } from './pair-codes.ts'
import { referenceIn } from './to-open-order.ts'
import type { ReceiptRow, ReceivedLineRow } from './queries.ts'

/** @param lines those of the order, of which the earliest that is due for the item is taken: receipts name none */
export function toReceipt(
  row: ReceiptRow,
  codes: PairCodes,
  lines: readonly ReceivedLineRow[],
): RecordOf<'receipts'> {
  const pair = codes(row)
  return mapAbout(pair.sku, pair.location, () => {
    const line = lines.filter(({ item }) => item === row.item).sort(byDue)[0]
    return {
      document: codeOf(row.ordernumber ?? row.orderid, 'tranid'),
      receipt: `${row.document}/${row.line}`,
      line: codeOf(line?.line ?? row.line, 'id'),
      ...pair,
      supplier: codeOrNull(row.vendor, 'entityid'),
      orderedOn: dayOf(row.ordered, 'trandate'),
      due: dayOf(line?.due, 'expectedreceiptdate'),
      receivedOn: demandDayOf(dayOf(row.day, 'trandate'), 'trandate'),
      quantity: numberOf(exactOf(withZero(row.quantity), 'quantity'), 'quantity'),
      reference: referenceIn(row.memo),
    }
  })
}

const LATEST = '9999'

const byDue = (a: ReceivedLineRow, b: ReceivedLineRow) =>
  (a.due ?? LATEST) < (b.due ?? LATEST) ? -1 : 1
