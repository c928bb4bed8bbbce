// On which days there was stock, as the reads of stock found it.
import cds from '@sap/cds'
import { type StockHistory, toEpochDay } from '../../../engine/index.ts'
import { StockDays, Stockouts } from '../entities.ts'

const { SELECT } = cds.ql

/** The days on which the stock of a source was read, in order. */
export async function stockDays(source: number): Promise<string[]> {
  const rows = await SELECT.from(StockDays).where({ source_ID: source }).orderBy('day')
  return rows.map(({ day }) => day)
}

/** The days on which the stock of a source was read. */
export const loadStockDays = async (source: number): Promise<Int32Array> =>
  Int32Array.from(await stockDays(source), toEpochDay)

/** What is known of the stock of some series before `asOf`. @param seen the stock days of their source */
export async function loadStockHistories(
  series: number[],
  asOf: string,
  seen: Int32Array,
): Promise<(series: number) => StockHistory | undefined> {
  if (!seen.length) return () => undefined
  const rows = await SELECT.from(Stockouts)
    .where({ series: { in: series }, firstDay: { '<': asOf } })
    .orderBy('series', 'firstDay')
  const last = toEpochDay(asOf) - 1
  const bySeries = new Map(
    [...Map.groupBy(rows, (row) => row.series)].map(([series, those]) => {
      const bounds = those.flatMap(({ firstDay, lastDay }) => [
        toEpochDay(firstDay),
        lastDay ? toEpochDay(lastDay) : last,
      ])
      return [series, Int32Array.from(bounds)]
    }),
  )
  return (series) => ({ seen, empty: bySeries.get(series) ?? NONE })
}

const NONE = new Int32Array(0)
