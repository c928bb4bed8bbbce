import { randomUUID } from 'node:crypto'
import type { Page } from '../../../adapters/adapter.ts'
import type { QuarantinedRow } from '../../../adapters/errors.ts'
import type { RecordKind } from '../../../adapters/records.ts'
import { QuarantinedRows, readAs, Skus } from '../../base/database/entities.ts'
import { markForProposal } from '../../base/database/proposal-marks.ts'
import { guardDeletion } from '../../base/database/records/target.ts'
import { inChunks } from '../../base/database/rows.ts'
import type { Issue, Run } from './run.ts'

const NO_SYNC = 0

/** The lists of a source with rejected rows. */
export async function rejectedLists(source: number): Promise<Set<string>> {
  const rows = await readAs<{ record: string }>(
    SELECT.distinct.from(QuarantinedRows).columns('record').where({ source_ID: source }),
  )
  return new Set(rows.map(({ record }) => record))
}

/** Stores rejected rows with their reasons, replacing older entries of the same rows. */
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
  if (record === 'openOrders') await markPairs(source, quarantined)
}

/** What a rejected open order brings is not known: its pair is blocked, until the row has been read. */
const markPairs = (source: number, rows: Pick<QuarantinedRow, 'sku' | 'location'>[]) =>
  markForProposal(
    source,
    rows.flatMap(({ sku, location }) => (sku ? [{ sku, location }] : [])),
  )

/** Deletes entries of these rows. */
async function release(where: { source_ID: number; record: RecordKind }) {
  if (where.record === 'openOrders') {
    const gone = SELECT.distinct.from(QuarantinedRows).columns('sku', 'location').where(where)
    await markPairs(where.source_ID, await readAs(gone))
  }
  await DELETE.from(QuarantinedRows).where(where)
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
    await release(sameRows)
  }
}

/**
 * Removes the entries of earlier syncs about records of this page that can be used now, and about deleted documents. A whole
 * read removes them all at its end.
 */
export async function releaseMended(
  source: number,
  sync: number,
  record: RecordKind,
  { records, deleted = [] }: Pick<Page, 'records' | 'deleted'>,
) {
  const rows = await readAs<{ ID: string; place: string; sku: string | null; location: string }>(
    SELECT.from(QuarantinedRows)
      .columns('ID', 'place', 'sku', 'location')
      .where({ source_ID: source, record, sync: { '!=': sync } }),
  )
  if (!rows.length) return
  const had = new Set([...records, ...deleted].flatMap((each) => namesOf(record, each)))
  const mended = rows.filter(({ place, sku, location }) => {
    const open = place.indexOf('(')
    const document = open >= 0 && place.endsWith(')') ? place.slice(open + 1, -1) : ''
    return namesOf(record, { document, receipt: document, sku, location }).some((name) =>
      had.has(name),
    )
  })
  for (const chunk of inChunks(mended))
    await DELETE.from(QuarantinedRows).where({ ID: { in: chunk.map(({ ID }) => ID) } })
}

/** The names by which a record and a rejected row are recognised as the same thing. */
function namesOf(record: RecordKind, about: object): string[] {
  const { sku, location, document, receipt } = about as Record<string, string | null | undefined>
  if (record === 'skus') return sku ? [sku] : []
  if (record === 'planning' || record === 'stock')
    return sku ? [JSON.stringify([sku, location])] : []
  if (record === 'receipts') return receipt ? [receipt] : []
  return record === 'demand' && document ? [document] : []
}

/** When a read restarts within its sync, the rows that the earlier attempt rejected count as those of an older sync. */
export async function outdateQuarantined(source: number, sync: number, record: RecordKind) {
  const before = { source_ID: source, record, sync }
  await UPDATE.entity(QuarantinedRows).set({ sync: NO_SYNC }).where(before)
}

/** After a whole read: removes the rejected rows of earlier syncs. */
export async function releaseQuarantined(source: number, sync: number, record: RecordKind) {
  const before = { source_ID: source, record, sync: { '!=': sync } }
  await release(before)
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

// Products that the ERP no longer has, as the rows of their orders say: a full sync removes them, until then nothing is
// proposed for them.

export const GONE = 'product_gone'

/**
 * Withdraws vanished products before anything is proposed. If there are suspiciously many, they stay, with their rows as
 * issues. Rows of earlier syncs do not count, since the product may be back.
 */
export async function withdrawGoneProducts({
  ID: sync,
  source,
  guard,
}: Pick<Run, 'ID' | 'source' | 'guard'>) {
  const bought = { source_ID: source, and: { purchasable: null, or: { purchasable: true } } }
  const rows = await readAs<{ sku: string }>(
    SELECT.distinct
      .from(QuarantinedRows)
      .columns('sku')
      .where({ source_ID: source, sync, code: GONE, sku: { '>': '' } }),
  )
  const gone: { sku: string }[] = []
  for (const chunk of inChunks(rows.map(({ sku }) => sku)))
    gone.push(
      ...(await SELECT.from(Skus)
        .columns('sku')
        .where({ ...bought, sku: { in: chunk } })),
    )
  if (!gone.length) return
  const [all] = await readAs<{ n: number }>(
    SELECT.from(Skus).columns('count(*) as n').where({ source_ID: source }),
  )
  if (!isBelieved(gone.length, Number(all!.n), guard)) return
  for (const chunk of inChunks(gone.map(({ sku }) => sku)))
    await UPDATE.entity(Skus)
      .set({ purchasable: false })
      .where({ source_ID: source, sku: { in: chunk } })
  await markForProposal(source, gone)
}

function isBelieved(...counts: Parameters<typeof guardDeletion>): boolean {
  try {
    guardDeletion(...counts)
    return true
  } catch {
    return false
  }
}
