// Rows that could not be used and that no proposal needs: they are told as notes, and the sync is whole without them.
import type { RecordKind } from '../../adapters/records.ts'
import { BlockedPairs, Planning, QuarantinedRows, readAs, Series, Skus } from '../store/entities.ts'
import { inChunks } from '../store/in-chunks.ts'
import { type Issue, MAX_ISSUES, type Run } from './run.ts'

/** Of demand and of products themselves every row counts. */
const OF_PAIRS: RecordKind[] = ['planning', 'stock', 'openOrders', 'customerOrders', 'receipts']

export const NOTES = ['not_in_catalogue', 'not_planned'] as const
export type Note = (typeof NOTES)[number]

interface Row {
  ID: string
  sync: number
  record: RecordKind
  place: string
  sku: string
  location: string
  note: Note | null
}

/**
 * Tells the rejected rows that concern proposals from those that do not, after the proposals were made: a product may have
 * left the catalogue since, or be planned again.
 * @param isComplete whether a SKU that is not in the catalogue is none any more
 */
export async function sortOutNotes(run: Run, isComplete: boolean) {
  const rows = await readAs<Row>(
    SELECT.from(QuarantinedRows)
      .columns('ID', 'sync', 'record', 'place', 'sku', 'location', 'note')
      .where({ source_ID: run.source, record: { in: OF_PAIRS }, sku: { '>': '' } }),
  )
  if (!rows.length) return
  const noteOf = await readReasons(run.source, rows, isComplete)
  const changed = rows.filter((row) => row.note !== noteOf(row))
  for (const [note, those] of Map.groupBy(changed, noteOf)) {
    for (const chunk of inChunks(those)) {
      const IDs = { in: chunk.map(({ ID }) => ID) }
      await UPDATE.entity(QuarantinedRows).set({ note }).where({ ID: IDs })
    }
  }
  const noted = rows.filter(noteOf)
  run.discount(noted.filter(({ sync }) => sync === run.ID))
  run.notes.push(...(await readNotes(run.source)))
  if (noted.length) await refill(run)
}

async function readReasons(source: number, rows: Row[], isComplete: boolean) {
  const skus = [...new Set(rows.map(({ sku }) => sku))]
  const catalogue = new Map<string, boolean>()
  const planned = new Map<string, boolean>()
  const forecast = new Set<string>()
  for (const chunk of inChunks(skus)) {
    const of = { source_ID: source, sku: { in: chunk } }
    for (const { sku, purchasable } of await SELECT.from(Skus)
      .columns('sku', 'purchasable')
      .where(of))
      catalogue.set(sku, purchasable !== false)
    for (const row of await SELECT.from(Planning)
      .columns('sku', 'location', 'purchasable')
      .where(of))
      planned.set(pairOf(row), row.purchasable !== false)
    for (const row of await SELECT.from(Series).columns('ID', 'sku', 'location').where(of))
      forecast.add(pairOf(row))
    for (const row of await SELECT.from(BlockedPairs)
      .columns('sku', 'location')
      .where({ ...of, missing: 'lead_time' }))
      forecast.delete(pairOf(row))
  }
  const isPlanned = await SELECT.one.from(Planning).columns('sku').where({ source_ID: source })
  return ({ record, sku, location, ...row }: Row): Note | null => {
    if (isComplete && !catalogue.has(sku)) return 'not_in_catalogue'
    if (catalogue.get(sku) === false) return 'not_planned'
    if (record === 'planning' || !isPlanned) return null
    const own = planned.get(pairOf({ ...row, sku, location }))
    if (own === false) return 'not_planned'
    return own === undefined && location && !forecast.has(pairOf({ sku, location }))
      ? 'not_planned'
      : null
  }
}

const pairOf = ({ sku, location }: { sku?: string | null; location?: string | null }) =>
  JSON.stringify([sku, location])

/** The first ones. */
async function readNotes(source: number): Promise<Issue[]> {
  const rows = await readAs<{ record: string; place: string; note: string; message: string }>(
    SELECT.from(QuarantinedRows)
      .columns('record', 'place', 'note', 'message')
      .where({ source_ID: source, note: { '!=': null } })
      .orderBy('record', 'place')
      .limit(MAX_ISSUES),
  )
  return rows.map(({ record, place, note, message }) => ({
    ...{ code: note, stream: record, key: place, message },
  }))
}

/** Lists of the rows of this sync those that concern proposals, as many as there is room for. */
async function refill(run: Run) {
  const rows = await readAs<{ record: string; place: string; code: string; message: string }>(
    SELECT.from(QuarantinedRows)
      .columns('record', 'place', 'code', 'message')
      .where({ source_ID: run.source, sync: run.ID, note: null })
      .orderBy('record', 'place')
      .limit(MAX_ISSUES),
  )
  run.listRows(rows.map(({ record, place, ...row }) => ({ ...row, stream: record, key: place })))
}
