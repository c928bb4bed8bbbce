// Records the stockouts that each read of stock finds, for as long as forecasts look back.
import { LEARNING_DAYS, toDate, toEpochDay } from '../../../../engine/index.ts'
import { readAs, Series, SeriesStock, StockDays, Stockouts } from '../entities.ts'
import { inChunks } from '../rows.ts'
import { type LocalDays, readLocalDays } from '../../time/days.ts'
import { markForForecast } from './series.ts'
import { stockDays } from './stock-history.ts'

/** Records the day that it is at each location as one on which stock was read, in the same transaction. */
export async function noteStockRead(source: number) {
  const { usual, others } = await readLocalDays(source)
  const days = new Set([usual, ...others.values()])
  await UPSERT.into(StockDays).entries(
    [...days].map((day) => ({ source_ID: source, day, reported: false })),
  )
}

/** Begins and ends stockouts by the stock that was just read. Calling it twice changes nothing. */
export async function recordStockouts(source: number) {
  const days = await stockDays(source)
  if (!days.length) return
  const local = await readLocalDays(source)
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
  for (const [today, those] of await byLocalDay(begun, local))
    await beginStockouts(those, lastUntil(days, today).day)
  const ended = [...before].filter((series) => !now.has(series))
  for (const [today, those] of await byLocalDay(ended, local)) {
    const { day, dayBefore } = lastUntil(days, today)
    await endStockouts(those, dayBefore, day)
  }
  await markForForecast([...begun, ...ended])
  await forgetOld(source, local.first)
}

/** The last day up to today on which stock was read, and the one before it; the same day if there is none. */
function lastUntil(days: string[], today: string) {
  const past = days.filter((day) => day <= today)
  const day = past.at(-1) ?? days[0]!
  return { day, dayBefore: past.at(-2) ?? day }
}

/** Groups series by the present day of their location. */
async function byLocalDay(series: number[], { usual, others, of }: LocalDays) {
  if (!others.size) return new Map([[usual, series]])
  const locations = new Map<number, string>()
  for (const chunk of inChunks(series)) {
    const rows = await readAs<{ ID: number; location: string }>(
      SELECT.from(Series)
        .columns('ID', 'location')
        .where({ ID: { in: chunk } }),
    )
    for (const { ID, location } of rows) locations.set(Number(ID), location)
  }
  return Map.groupBy(series, (ID) => of(locations.get(Number(ID)) ?? ''))
}

async function beginStockouts(series: number[], firstDay: string) {
  for (const chunk of inChunks(series))
    await UPSERT.into(Stockouts).entries(
      chunk.map((each) => ({ series: each, firstDay, lastDay: null })),
    )
}

/** @param last the last day on which they were found without stock; `day` if that was their only one */
async function endStockouts(series: number[], last: string, day: string) {
  for (const chunk of inChunks(series)) {
    const open = { series: { in: chunk }, lastDay: null }
    await UPDATE.entity(Stockouts)
      .set({ lastDay: last })
      .where({ ...open, firstDay: { '<=': last } })
    await UPDATE.entity(Stockouts).set({ lastDay: day }).where(open)
  }
}

/** Deletes old days, at most once a day, together with the stockouts before them. */
async function forgetOld(source: number, today: string) {
  const day = toDate(toEpochDay(today) - LEARNING_DAYS)
  const gone: unknown = await DELETE.from(StockDays).where({ source_ID: source, day: { '<': day } })
  if (gone) await DELETE.from(Stockouts).where({ lastDay: { '<': day } })
}
