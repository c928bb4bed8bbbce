import { randomUUID } from 'node:crypto'
import type { QuarantinedRow } from '../../adapters/errors.ts'
import type { RecordKind } from '../../adapters/records.ts'
import type { Issue } from './run.ts'
import { QuarantinedRows, readAs } from '../store/entities.ts'
import { inChunks } from '../store/in-chunks.ts'

const NO_SYNC = 0

/** Stores the rows that could not be used, each with its reason; replaces an older entry of the same row. */
export async function quarantineRows(
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
  const places = quarantined.map(({ place }) => place)
  await releaseReread(source, sync, record, places)
  await INSERT.into(QuarantinedRows).entries(entries)
}

/** Removes the entries of earlier syncs about rows that have been read again. */
export async function releaseReread(
  source: number,
  sync: number,
  record: RecordKind,
  places: string[],
) {
  for (const chunk of inChunks(places)) {
    const sameRows = { source_ID: source, record, place: { in: chunk }, sync: { '!=': sync } }
    await DELETE.from(QuarantinedRows).where(sameRows)
  }
}

/** When a read restarts within its sync: the rows that the earlier attempt rejected count as those of an older sync. */
export async function outdateQuarantined(source: number, sync: number, record: RecordKind) {
  const before = { source_ID: source, record, sync }
  await UPDATE.entity(QuarantinedRows).set({ sync: NO_SYNC }).where(before)
}

/** After a whole read: removes the rejected rows of earlier syncs. */
export async function releaseQuarantined(source: number, sync: number, record: RecordKind) {
  await DELETE.from(QuarantinedRows).where({
    source_ID: source,
    record,
    sync: { '!=': sync },
  })
}

/** An issue for each stream with rejected rows of earlier syncs, which this sync did not read. */
export async function olderRowIssues(source: number, sync: number): Promise<Issue[]> {
  const streams = await readAs<{ record: string; rows: number }>(
    SELECT.from(QuarantinedRows)
      .columns('record', 'count(*) as rows')
      .where({ source_ID: source, sync: { '!=': sync }, note: null })
      .groupBy('record')
      .orderBy('record'),
  )
  return streams.map(({ record, rows }) => ({
    code: 'rows_quarantined',
    stream: record,
    key: null,
    message: `Rejected records of earlier syncs: ${rows}. A full sync reads them again.`,
  }))
}
