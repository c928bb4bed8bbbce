// On which days there was stock, as the reads of stock found it.
import { type EpochDay, type StockHistory, toEpochDay } from '../../../engine/index.ts'
import { readAs, SeriesStockHistory, StockDays, StockHistories, Stockouts } from '../entities.ts'

/** The days on which the stock of a source was read, in order. */
export async function stockDays(source: number): Promise<string[]> {
  const rows = await SELECT.from(StockDays).where({ source_ID: source }).orderBy('day')
  return rows.map(({ day }) => day)
}

/** What is known of a source's stock as a whole. */
export interface StockReads {
  /** Days on which it was read or reported, ascending. */
  days: Int32Array
  hasReports: boolean
}

export async function loadStockReads(source: number): Promise<StockReads> {
  const days = Int32Array.from(await stockDays(source), toEpochDay)
  const report = await SELECT.one.from(StockHistories).columns('sku').where({ source_ID: source })
  return { days, hasReports: Boolean(report) }
}

/** What is known of the stock of some series up to the morning of `asOf`. @param reads those of their source */
export async function loadStockHistories(
  series: number[],
  asOf: string,
  { days: seen, hasReports }: StockReads,
): Promise<(series: number) => StockHistory | undefined> {
  if (!seen.length) return () => undefined
  const rows = await SELECT.from(Stockouts)
    .where({ series: { in: series }, firstDay: { '<=': asOf } })
    .orderBy('series', 'firstDay')
  const reported = hasReports ? await loadReportedStockouts(series) : null
  const last = toEpochDay(asOf) - 1
  const seenOf = Map.groupBy(rows, (row) => row.series)
  return (series) => {
    const spells = (seenOf.get(series) ?? []).map(({ firstDay, lastDay }): Spell => {
      const first = toEpochDay(firstDay)
      return [first, lastDay ? toEpochDay(lastDay) : Math.max(first, last)]
    })
    spells.push(...(reported?.get(series) ?? []))
    return { seen, empty: Int32Array.from(spells.sort(([a], [b]) => a - b).flat()) }
  }
}

/** The first and the last day of a stockout. */
type Spell = [first: EpochDay, last: EpochDay]

/** Stockouts of some series that the ERP reports. */
async function loadReportedStockouts(series: number[]): Promise<Map<number, Spell[]>> {
  const rows = await readAs<{ ID: number; stockouts: string }>(
    SELECT.from(SeriesStockHistory).where({ ID: { in: series } }),
  )
  return new Map(rows.map(({ ID, stockouts }) => [ID, JSON.parse(stockouts) as Spell[]]))
}
