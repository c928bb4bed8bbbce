import { randomUUID } from 'node:crypto'
import cds from '@sap/cds'
import type { QuarantinedRow } from '../../adapters/errors.ts'
import type { RecordKind } from '../../adapters/records.ts'
import type { Issue } from './run.ts'
import { QuarantinedRows, readAs } from '../store/entities.ts'

const { DELETE, INSERT, SELECT, UPDATE } = cds.ql

const NO_SYNC = 0

/** Named in one statement. */
const CHUNK = 5_000

/** Keeps the rows that could not be taken over, each with its reason; of each row the newest one. */
export async function quarantine(
  source: number,
  sync: number,
  record: RecordKind,
  quarantined: QuarantinedRow[],
) {
  if (!quarantined.length) return
  const entries = quarantined.map((row) => ({
    ID: randomUUID(),
    source_ID: source,
    sync,
    record,
    ...row,
  }))
  for (let at = 0; at < quarantined.length; at += CHUNK) {
    const places = quarantined.slice(at, at + CHUNK).map(({ place }) => place)
    const again = { source_ID: source, record, place: { in: places }, sync: { '!=': sync } }
    await DELETE.from(QuarantinedRows).where(again)
  }
  await INSERT.into(QuarantinedRows).entries(entries)
}

/** A read that begins anew within its sync finds what an attempt before it has set aside as an earlier sync's. */
export async function outdateQuarantined(source: number, sync: number, record: RecordKind) {
  const before = { source_ID: source, record, sync }
  await UPDATE.entity(QuarantinedRows).set({ sync: NO_SYNC }).where(before)
}

/** After a whole read only its own bad rows are left. */
export async function releaseQuarantined(source: number, sync: number, record: RecordKind) {
  await DELETE.from(QuarantinedRows).where({
    source_ID: source,
    record,
    sync: { '!=': sync },
  })
}

/** Rows of earlier syncs that this one had no reason to read again: what is stored lacks them still. */
export async function stillQuarantined(source: number, sync: number): Promise<Issue[]> {
  const streams = await readAs<{ record: string; rows: number }>(
    SELECT.from(QuarantinedRows)
      .columns('record', 'count(*) as rows')
      .where({ source_ID: source, sync: { '!=': sync } })
      .groupBy('record')
      .orderBy('record'),
  )
  return streams.map(({ record, rows }) => ({
    code: 'rows_quarantined',
    stream: record,
    key: null,
    message: `Rows of earlier syncs still in quarantine: ${rows}. A full sync reads them again.`,
  }))
}
