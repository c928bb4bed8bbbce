import cds from '@sap/cds'
import type { RecordOf } from '../../adapters/records.ts'
import { type DeletionGuard, DeletionWithheld } from './deletion-guard.ts'
import { type DemandRow, native } from './native/index.ts'
import { placeReversals, type Reversal, takePlaceable } from './reversals.ts'
import type { SeriesIndex } from './series-index.ts'
import { markDirty, removeEmptySeries } from './series.ts'
import type { Written } from './written.ts'

const { DELETE, SELECT } = cds.ql

type Demand = RecordOf<'demand'>

/** A read of demand under way. */
export interface DemandRead {
  series: SeriesIndex
  /** Stamps what it sees. */
  read: number
  /** Whether it reads all there is, so that what it does not see is deleted. */
  whole: boolean
}

/** Upserts demand, in the caller's transaction; series whose demand really changed need a new forecast. */
export async function writeDemand(to: DemandRead, records: Demand[]): Promise<Written> {
  if (!records.length) return { upserted: 0, unchanged: 0 }
  await to.series.resolve(records)
  const rows: DemandRow[] = []
  const reversals: Reversal[] = []
  for (const { sku, location, date, quantity, price, promo, document, reversalOf } of records) {
    const series = to.series.get({ sku, location })!
    const row = { series, date, document: document ?? '', quantity, price, promo }
    if (reversalOf) reversals.push({ ...row, original: reversalOf })
    else rows.push(row)
  }
  const placed = await placeReversals(reversals, rows)
  const changed = await store(to, rows.concat(placed))
  return { upserted: changed, unchanged: records.length - changed }
}

/** In the order of the key, which several times over is faster to write; of a repeated key the last. */
async function store({ read, whole }: DemandRead, rows: DemandRow[]): Promise<number> {
  const ordered = rows.sort(byKey)
  const unique = ordered.filter(
    (row, at) => at + 1 === ordered.length || byKey(row, ordered[at + 1]!),
  )
  if (!unique.length) return 0
  const changed = await native().upsertDemand(unique, read, whole)
  await markDirty(new Set(changed))
  return changed.length
}

function byKey(a: DemandRow, b: DemandRow): number {
  if (a.series !== b.series) return a.series - b.series
  if (a.date !== b.date) return a.date < b.date ? -1 : 1
  return a.document < b.document ? -1 : a.document > b.document ? 1 : 0
}

/**
 * Ends a read of demand: reversals find their originals, and after a whole read what it did not
 * see is deleted.
 * @returns the number of rows that are gone
 * @throws DeletionWithheld when suspiciously many would go; then nothing has changed
 */
export async function finishDemand(to: DemandRead, guard: DeletionGuard): Promise<number> {
  const { source } = to.series
  await store(to, await takePlaceable(source))
  if (!to.whole) return 0
  const deleted = await deleteUnseen(source, to.read, guard)
  await removeEmptySeries(source)
  return deleted
}

async function deleteUnseen(source: number, read: number, guard: DeletionGuard): Promise<number> {
  const unseen: { series: number; rows: number }[] = await SELECT.from(
    'restock.Demand as d',
  ).columns('d.series as series', 'count(*) as rows')
    .where`d.seenIn != ${read} and d.series in (select ID from restock.Series where source.ID = ${source})`.groupBy(
    'd.series',
  )
  if (!unseen.length) return 0
  const gone = unseen.reduce((sum, { rows }) => sum + Number(rows), 0)
  const [{ total }] = await SELECT.from('restock.Demand as d').columns('count(*) as total')
    .where`d.series in (select ID from restock.Series where source.ID = ${source})`
  if (total >= guard.minRows && gone > total * guard.share) {
    throw new DeletionWithheld(
      `${gone} of ${total} demand rows are missing from the source: too many to be believed.`,
    )
  }
  const series = unseen.map((row) => row.series)
  for (let at = 0; at < series.length; at += 1000) {
    const chunk = series.slice(at, at + 1000)
    await DELETE.from('restock.Demand').where({ series: { in: chunk }, seenIn: { '!=': read } })
    await markDirty(chunk)
  }
  return gone
}

/** The day after the last one with demand: the first day to forecast; null without any demand. */
export async function demandEnd(source: number): Promise<string | null> {
  const row = await SELECT.one.from('restock.Demand as d').columns('max(d.date) as last')
    .where`d.series in (select ID from restock.Series where source.ID = ${source})`
  if (!row?.last) return null
  const next = new Date(`${row.last}T00:00:00Z`)
  next.setUTCDate(next.getUTCDate() + 1)
  return next.toISOString().slice(0, 10)
}

/** Removes the source's demand and series. */
export async function removeDemand(source: number) {
  for (const entity of ['restock.Demand', 'restock.PendingReversals']) {
    await DELETE.from(entity)
      .where`series in (select ID from restock.Series where source.ID = ${source})`
  }
  await removeEmptySeries(source)
}
