import { daysAgo } from '../rows/days.ts'
import { batchOf } from '../rows/pages.ts'
import type { Stream } from '../adapter.ts'
import { changedStream } from './changed-stream.ts'
import { readGoneLines } from './deleted.ts'
import type { MovementRow, ReceiptRow, ReceivedLineRow } from './queries.ts'
import { MOVEMENTS, RECEIPTS, RECEIVED_LINES } from './queries.ts'
import { among, withConditions } from './suiteql/query.ts'
import { dayLiteral } from './suiteql/wall-clock.ts'
import type { System } from './system.ts'
import { toDemand } from './to-demand.ts'
import { toReceipt } from './to-orders.ts'

/** The condition on the day of documents of so many days. */
const sinceDays = (days: number) => `t.trandate >= ${dayLiteral(daysAgo(days))}`

export const demandStream = (system: System): Stream<'demand'> =>
  changedStream<'demand', MovementRow>(system, {
    record: 'demand',
    isRequired: true,
    query: () => withConditions(MOVEMENTS, sinceDays(system.options.history_days)),
    changedAt: 't.lastmodifieddate',
    async toBatch(rows, signal) {
      const codes = await system.facts.pairCodes(signal)
      const countsTransfers = system.options.transfer_demand
      return batchOf<'demand', MovementRow>(
        rows,
        (row) => toDemand(row, codes, countsTransfers),
        placeOfLine,
      )
    },
    readDeleted: (since, signal) => readGoneLines(system, since, signal),
  })

export const placeOfLine = (row: { number?: string | undefined; document: string; line: string }) =>
  `${row.number ?? 'transaction'} (${row.document}/${row.line})`

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
      const codes = await system.facts.lineCodes(signal)
      const lines = await readLines(system, rows, signal)
      const map = (row: ReceiptRow) => toReceipt(row, codes, lines.get(row.orderid) ?? [])
      return batchOf<'receipts', ReceiptRow>(rows, map, placeOfLine)
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
