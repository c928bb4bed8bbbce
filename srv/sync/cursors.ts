import type { Cursor } from '../../adapters/adapter.ts'
import type { RecordKind } from '../../adapters/records.ts'
import { StreamStates } from '../store/entities.ts'

/** Where a stream stands. */
export interface StreamState {
  cursor: Cursor | null
  /** The stamp of a read that was begun and not ended, so that it can go on; null in between. */
  read: number | null
  /** Whether that read is one of all there is. */
  whole: boolean
}

export async function loadState(source: number, record: RecordKind): Promise<StreamState> {
  const row = await SELECT.one.from(StreamStates).where({ source_ID: source, record })
  return { cursor: row?.cursor ?? null, read: row?.read ?? null, whole: Boolean(row?.whole) }
}

/** In the transaction of the rows that stand before the cursor. */
export async function saveState(
  source: number,
  record: RecordKind,
  { cursor, read, whole }: StreamState,
) {
  const syncedAt = new Date().toISOString()
  const state = { source_ID: source, record, syncedAt, cursor, read, whole }
  await UPSERT.into(StreamStates).entries(state)
}
