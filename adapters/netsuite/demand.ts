import type { Stream } from '../adapter.ts'
import { addRecords } from '../rows/quarantine.ts'
import type { Batch } from '../rows/quarantine.ts'
import { changedStream } from './changed/stream.ts'
import { readGoneLines } from './documents.ts'
import { pairCodesOf } from './pair-codes.ts'
import { MOVEMENTS } from './queries.ts'
import type { MovementRow } from './queries.ts'
import { withConditions } from './suiteql/query.ts'
import { dayLiteral } from './suiteql/wall-clock.ts'
import type { System } from './system.ts'
import { toDemand } from './to-demand.ts'

const DAY_MS = 86_400_000

/** The condition on the day of documents of so many days. */
export const sinceDays = (days: number) =>
  `t.trandate >= ${dayLiteral(new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10))}`

export const demandStream = (system: System): Stream<'demand'> =>
  changedStream<'demand', MovementRow>(system, {
    record: 'demand',
    isRequired: true,
    query: () => withConditions(MOVEMENTS, sinceDays(system.options.history_days)),
    changedAt: 't.lastmodifieddate',
    async toBatch(rows, signal) {
      const batch: Batch<'demand'> = { records: [], quarantined: [] }
      const codes = await pairCodesOf(system.facts, signal)
      const countsTransfers = system.options.transfer_demand
      addRecords(batch, rows, (row) => toDemand(row, codes, countsTransfers), placeOfLine)
      return batch
    },
    readDeleted: (since, signal) => readGoneLines(system, since, signal),
  })

export const placeOfLine = (row: { number?: string | undefined; document: string; line: string }) =>
  `${row.number ?? 'transaction'} (${row.document}/${row.line})`
