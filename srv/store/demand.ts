import cds from '@sap/cds'
import type { RecordOf } from '../../adapters/records.ts'
import { type DeletionGuard, DeletionWithheld } from './deletion-guard.ts'
import { markDirty, pairKey, removeEmptySeries, resolveSeries } from './series.ts'
import { sameValues, type Written } from './written.ts'

const { DELETE, SELECT, UPSERT } = cds.ql

type Demand = RecordOf<'demand'>
type Row = Record<string, unknown>

const VALUES = ['quantity', 'price', 'promo']

/** Stored rows of these series between two days, by `series date`. */
async function storedDemand(rows: { series: number; date: string }[]) {
  const dates = rows.map(({ date }) => date).sort()
  const stored = new Map<string, Row>()
  const found = await SELECT.from('restock.Demand')
    .columns('series', 'date', ...VALUES)
    .where({
      series: { in: [...new Set(rows.map(({ series }) => series))] },
      date: { between: dates[0], and: dates.at(-1) },
    })
  for (const row of found) stored.set(`${row.series} ${row.date}`, row)
  return stored
}

/**
 * Upserts demand by pair and day, stamped with the read that saw it; series whose demand really
 * changed are marked for a new forecast.
 * @param known series numbers by pair, kept by the caller for the whole read
 */
export async function writeDemand(
  source: number,
  read: number,
  records: Demand[],
  known: Map<string, number>,
): Promise<Written> {
  if (!records.length) return { upserted: 0, unchanged: 0 }
  await resolveSeries(source, records, known)
  const rows = records.map(({ date, quantity, price, promo, ...pair }) => ({
    series: known.get(pairKey(pair))!,
    date,
    quantity,
    price,
    promo,
    seenIn: read,
  }))
  const stored = await storedDemand(rows)
  const changed = rows.filter((row) => {
    const before = stored.get(`${row.series} ${row.date}`)
    return before === undefined || !sameValues(before, row, VALUES)
  })
  await UPSERT.into('restock.Demand').entries(rows)
  await markDirty([...new Set(changed.map(({ series }) => series))])
  return { upserted: changed.length, unchanged: rows.length - changed.length }
}

/**
 * Ends a whole read of demand: days it did not see are deleted.
 * @throws DeletionWithheld when suspiciously many would go; then nothing has changed
 */
export async function finishDemand(
  source: number,
  read: number,
  guard: DeletionGuard,
): Promise<number> {
  const unseen = await SELECT.from('restock.Demand as d').columns(
    'd.series as series',
    'count(*) as n',
  )
    .where`d.seenIn != ${read} and d.series in (select ID from restock.Series where source.ID = ${source})`.groupBy(
    'd.series',
  )
  const rows = unseen.reduce((sum: number, row: { n: number }) => sum + Number(row.n), 0)
  if (rows) {
    const [{ n: total }] = await SELECT.from('restock.Demand as d').columns('count(*) as n')
      .where`d.series in (select ID from restock.Series where source.ID = ${source})`
    if (total >= guard.minRows && rows > total * guard.share) {
      throw new DeletionWithheld(
        `${rows} of ${total} demand rows are missing from the source: too many to be believed.`,
      )
    }
    const series: number[] = unseen.map((row: { series: number }) => row.series)
    for (let at = 0; at < series.length; at += 1000) {
      const chunk = series.slice(at, at + 1000)
      await DELETE.from('restock.Demand').where({ series: { in: chunk }, seenIn: { '!=': read } })
      await markDirty(chunk)
    }
  }
  await removeEmptySeries(source)
  return rows
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
  await DELETE.from('restock.Demand')
    .where`series in (select ID from restock.Series where source.ID = ${source})`
  await removeEmptySeries(source)
}
