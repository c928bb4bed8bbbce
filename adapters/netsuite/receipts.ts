import type { Stream } from '../adapter.ts'
import { addRecords } from '../rows/quarantine.ts'
import type { Batch } from '../rows/quarantine.ts'
import { changedStream } from './changed/stream.ts'
import { placeOfLine, sinceDays } from './demand.ts'
import { pairCodesOf } from './pair-codes.ts'
import { RECEIPTS, RECEIVED_LINES } from './queries.ts'
import type { ReceiptRow, ReceivedLineRow } from './queries.ts'
import { among, withConditions } from './suiteql/query.ts'
import type { System } from './system.ts'
import { toReceipt } from './to-receipt.ts'

/** Lead times are measured from the receipts of a year. */
const HISTORY_DAYS = 400
/** Numbers in one list: Oracle takes a thousand. */
const ORDERS_AT_ONCE = 500

export const receiptStream = (system: System): Stream<'receipts'> =>
  changedStream<'receipts', ReceiptRow>(system, {
    record: 'receipts',
    isOptional: true,
    query: () => withConditions(RECEIPTS, sinceDays(HISTORY_DAYS)),
    changedAt: 't.lastmodifieddate',
    async toBatch(rows, signal) {
      const batch: Batch<'receipts'> = { records: [], quarantined: [] }
      const codes = await pairCodesOf(system.facts, signal)
      const lines = await readLines(system, rows, signal)
      const map = (row: ReceiptRow) => toReceipt(row, codes, lines.get(row.orderid) ?? [])
      addRecords(batch, rows, map, placeOfLine)
      return batch
    },
  })

async function readLines({ suiteQl }: System, rows: readonly ReceiptRow[], signal: AbortSignal) {
  const orders = [...new Set(rows.map(({ orderid }) => Number(orderid)))]
  const lines: ReceivedLineRow[] = []
  for (let at = 0; at < orders.length; at += ORDERS_AT_ONCE) {
    const some = among('tl.transaction', orders.slice(at, at + ORDERS_AT_ONCE))
    const query = withConditions(RECEIVED_LINES, some)
    lines.push(...(await suiteQl.all<ReceivedLineRow>(query, signal)))
  }
  return Map.groupBy(lines, ({ document }) => document)
}
