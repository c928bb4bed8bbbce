// Keeps what each read of stock finds, for as long as forecasts look back.
import { LEARNING_DAYS, toDate, toEpochDay } from '../../../engine/index.ts'
import { readAs, SeriesStock, StockDays, Stockouts } from '../entities.ts'
import { inChunks } from '../in-chunks.ts'
import { today } from '../today.ts'
import { markForForecast } from './series.ts'
import { stockDays } from './stock-history.ts'

/** In the transaction that makes the stock visible. */
export const noteStockRead = (source: number) =>
  UPSERT.into(StockDays).entries({ source_ID: source, day: today(), reported: false })

/**
 * Begins a stockout for each pair that is now without stock, and ends those of pairs that have some again.
 * What was recorded once stays the same when it is called again.
 */
export async function recordStockouts(source: number) {
  const days = await stockDays(source)
  const day = days.at(-1)
  if (day === undefined) return
  const empty = await readAs<{ ID: number }>(
    SELECT.from(SeriesStock)
      .columns('ID')
      .where({ source_ID: source, onHand: { '<=': 0 } }),
  )
  const open = await readAs<{ series: number }>(
    SELECT.from(Stockouts).columns('series').where({ lastDay: null })
      .where`series in (select ID from restock.Series where source.ID = ${source})`,
  )
  const now = new Set(empty.map(({ ID }) => ID))
  const before = new Set(open.map(({ series }) => series))
  const begun = [...now].filter((series) => !before.has(series))
  await beginStockouts(begun, day)
  const ended = [...before].filter((series) => !now.has(series))
  await endStockouts(ended, days.at(-2) ?? day, day)
  await markForForecast([...begun, ...ended])
  await forgetOld(source)
}

async function beginStockouts(series: number[], firstDay: string) {
  for (const chunk of inChunks(series))
    await UPSERT.into(Stockouts).entries(
      chunk.map((each) => ({ series: each, firstDay, lastDay: null })),
    )
}

/** @param last the last day on which they were seen without stock, `day` if they were only then */
async function endStockouts(series: number[], last: string, day: string) {
  for (const chunk of inChunks(series)) {
    const open = { series: { in: chunk }, lastDay: null }
    await UPDATE.entity(Stockouts)
      .set({ lastDay: last })
      .where({ ...open, firstDay: { '<=': last } })
    await UPDATE.entity(Stockouts).set({ lastDay: day }).where(open)
  }
}

/** Once a day at most: a day that is let go takes the stockouts before it along. */
async function forgetOld(source: number) {
  const day = toDate(toEpochDay(today()) - LEARNING_DAYS)
  const gone: unknown = await DELETE.from(StockDays).where({ source_ID: source, day: { '<': day } })
  if (gone) await DELETE.from(Stockouts).where({ lastDay: { '<': day } })
}
