// A full sync learns from all demand and calculates all pairs. If it fails, or lacks a stream, the next sync that can do so
// catches up: the results for the same data must not depend on earlier failures.
import type { RecordKind } from '../../../adapters/records.ts'
import { Sources, StreamStates } from '../../base/database/entities.ts'
import { readLocalDays } from '../../base/time/days.ts'
import { isProposedToday } from '../../base/database/proposal-marks.ts'
import type { Run } from './run.ts'

/** What has to be caught up: all learning and forecasts, or only the proposals of all pairs. */
type Outstanding = 'forecasts' | 'proposals'

/** The streams that forecasts are made from. If a required one fails, the sync ends, unless it waits for a file. */
const LEARNT_FROM: readonly string[] = [
  'demand',
  'stock',
  'stockHistory',
  'plannedEvents',
] satisfies RecordKind[]

/** Whether this sync learns, forecasts and calculates everything. */
export async function calculatesAll({ source, mode }: Run): Promise<boolean> {
  if (mode === 'full') return true
  const row = await SELECT.one.from(Sources).columns('calculateAll').where({ ID: source })
  return Boolean(row?.calculateAll)
}

/** Called at the start of a full sync, and when a missing stream has been read again. */
const requestCalculation = (source: number, outstanding: Outstanding) =>
  UPDATE.entity(Sources)
    .set({ proposedOn: null, ...(outstanding === 'forecasts' && { calculateAll: true }) })
    .where({ ID: source })

export async function beginFull({ source, mode }: Run) {
  if (mode === 'full') await requestCalculation(source, 'forecasts')
}

/** Called when everything is calculated. */
export const endAll = ({ source }: Run) =>
  UPDATE.entity(Sources).set({ calculateAll: false }).where({ ID: source })

/** Called for a stream that this sync lacks, in the transaction that notes it. */
export async function noteLack(run: Run, record: RecordKind) {
  const all = await calculatesAll(run)
  const days = await readLocalDays(run.source)
  if (!all && (await isProposedToday(run.source, days, null))) return
  const outstanding: Outstanding = all && LEARNT_FROM.includes(record) ? 'forecasts' : 'proposals'
  await UPSERT.into(StreamStates).entries({ source_ID: run.source, record, owed: outstanding })
}

/** Called for a stream that was read to its end, in the same transaction. */
export async function noteWhole({ source }: Run, record: RecordKind) {
  const of = { source_ID: source, record }
  const row = await SELECT.one.from(StreamStates).columns('owed').where(of)
  if (!row?.owed) return
  await UPDATE.entity(StreamStates).set({ owed: null }).where(of)
  await requestCalculation(source, row.owed as Outstanding)
}
