import cds from '@sap/cds'
import type { Cursor } from '../../adapters/adapter.ts'
import type { RecordKind } from '../../adapters/records.ts'

const { SELECT, UPSERT } = cds.ql

export async function loadCursor(source: number, record: RecordKind): Promise<Cursor | null> {
  const row = await SELECT.one
    .from('restock.StreamStates')
    .columns('cursor')
    .where({ source_ID: source, record })
  return row?.cursor ?? null
}

export async function saveCursor(source: number, record: RecordKind, cursor: Cursor | null) {
  const syncedAt = new Date().toISOString()
  await UPSERT.into('restock.StreamStates').entries({ source_ID: source, record, cursor, syncedAt })
}
