// A full sync learns from all demand and calculates all pairs. Where it does not end, or lacks a stream, the next sync that can
// does this in its place: what comes of the same data does not depend on what failed before.
import type { RecordKind } from '../../../adapters/records.ts'
import { Sources, StreamStates } from '../../base/database/entities.ts'
import { readLocalDays } from '../../base/time/days.ts'
import { isProposedToday } from '../../base/database/proposal-marks.ts'
import type { Run } from './run.ts'

/** Forecasts and all that is learnt, or the proposals of all pairs. */
type Owed = 'forecasts' | 'proposals'

/** Forecasts are made of these; those that are required end the sync when they fail, but for a file that is awaited. */
const LEARNT_FROM: readonly string[] = [
  'demand',
  'stock',
  'stockHistory',
  'plannedEvents',
] satisfies RecordKind[]

/** Whether all is learnt, forecast and calculated. */
export async function calculatesAll({ source, mode }: Run): Promise<boolean> {
  if (mode === 'full') return true
  const row = await SELECT.one.from(Sources).columns('calculateAll').where({ ID: source })
  return Boolean(row?.calculateAll)
}

/** At the start of a full sync, and when a stream is there again that one has lacked. */
const owe = (source: number, owed: Owed) =>
  UPDATE.entity(Sources)
    .set({ proposedOn: null, ...(owed === 'forecasts' && { calculateAll: true }) })
    .where({ ID: source })

export async function beginFull({ source, mode }: Run) {
  if (mode === 'full') await owe(source, 'forecasts')
}

/** After all of it is done. */
export const endAll = ({ source }: Run) =>
  UPDATE.entity(Sources).set({ calculateAll: false }).where({ ID: source })

/** A stream that this sync lacks, in the transaction that notes it. */
export async function noteLack(run: Run, record: RecordKind) {
  const all = await calculatesAll(run)
  const days = await readLocalDays(run.source)
  if (!all && (await isProposedToday(run.source, days, null))) return
  const owed: Owed = all && LEARNT_FROM.includes(record) ? 'forecasts' : 'proposals'
  await UPSERT.into(StreamStates).entries({ source_ID: run.source, record, owed })
}

/** A stream that was read to its end, in the transaction of that. */
export async function noteWhole({ source }: Run, record: RecordKind) {
  const of = { source_ID: source, record }
  const row = await SELECT.one.from(StreamStates).columns('owed').where(of)
  if (!row?.owed) return
  await UPDATE.entity(StreamStates).set({ owed: null }).where(of)
  await owe(source, row.owed as Owed)
}
