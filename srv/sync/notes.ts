// Rows that could not be used and that no proposal needs: they are told as notes, and the sync is whole without them.
import type { RecordKind } from '../../adapters/records.ts'
import { BlockedPairs, Planning, QuarantinedRows, readAs, Series, Skus } from '../store/entities.ts'
import { inChunks } from '../store/in-chunks.ts'
import { type Issue, MAX_ISSUES, type Run } from './run.ts'
import { GONE } from './withdraw-gone.ts'

/** Of demand and of products themselves every row counts. */
const OF_PAIRS: RecordKind[] = [
  ...(['planning', 'stock', 'openOrders', 'customerOrders', 'reservations', 'receipts'] as const),
]

export const NOTES = ['not_in_catalogue', 'not_planned'] as const
export type Note = (typeof NOTES)[number]

interface Row {
  ID: string
  sync: number
  record: RecordKind
  place: string
  code: string
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
      .columns('ID', 'sync', 'record', 'place', 'code', 'sku', 'location', 'note')
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

/** What is known of the SKUs and pairs that rows are about. */
interface Known {
  /** Whether a SKU of the catalogue is bought. */
  catalogue: Map<string, boolean>
  /** Whether a pair of the ERP's planning is bought. */
  planned: Map<string, boolean>
  /** Pairs that can be forecast and proposed. */
  forecast: Set<string>
}

async function readReasons(source: number, rows: Row[], isComplete: boolean) {
  const { catalogue, planned, forecast } = await readKnown(source, rows)
  const hasPlanning = await SELECT.one.from(Planning).columns('sku').where({ source_ID: source })
  return ({ record, code, sku, location }: Row): Note | null => {
    if (isComplete && !catalogue.has(sku)) return 'not_in_catalogue'
    if (catalogue.get(sku) === false) return code === GONE ? 'not_in_catalogue' : 'not_planned'
    if (record === 'planning' || !hasPlanning) return null
    const pair = pairOf({ sku, location })
    const isBought = planned.get(pair) ?? (!location || forecast.has(pair))
    return isBought ? null : 'not_planned'
  }
}

async function readKnown(source: number, rows: Row[]): Promise<Known> {
  const skus = [...new Set(rows.map(({ sku }) => sku))]
  const known: Known = { catalogue: new Map(), planned: new Map(), forecast: new Set() }
  for (const chunk of inChunks(skus)) {
    const those = { source_ID: source, sku: { in: chunk } }
    const inCatalogue = SELECT.from(Skus).columns('sku', 'purchasable').where(those)
    const inPlanning = SELECT.from(Planning).columns('sku', 'location', 'purchasable').where(those)
    const series = SELECT.from(Series).columns('sku', 'location').where(those)
    const without = { ...those, missing: 'lead_time' }
    const blocked = SELECT.from(BlockedPairs).columns('sku', 'location').where(without)
    for (const row of await inCatalogue) known.catalogue.set(row.sku, row.purchasable !== false)
    for (const row of await inPlanning) known.planned.set(pairOf(row), row.purchasable !== false)
    for (const row of await series) known.forecast.add(pairOf(row))
    for (const row of await blocked) known.forecast.delete(pairOf(row))
  }
  return known
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
