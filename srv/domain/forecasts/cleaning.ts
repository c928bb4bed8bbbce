import {
  cleanedDays,
  type DemandHistory,
  EMPTY_CONTEXT,
  historyDays,
  mergeHistories,
  toDate,
  toEpochDay,
} from '../../../engine/index.ts'
import { EMPTY_HISTORY, loadForecastHistories } from '../../base/database/demand/histories.ts'
import { loadStockReads } from '../../base/database/demand/stock-history.ts'
import { Series } from '../../base/database/entities.ts'
import { loadLearnt } from './learn.ts'
import { Plans } from './plans.ts'

/** A day whose demand the forecast corrects or leaves out. */
export interface CleanedDay {
  date: string
  /** Negative for returns. */
  booked: number
  /** The corrected demand; null if the day is left out. */
  taken: number | null
  /** Codes of restock.CleaningReasons. */
  reasons: string[]
}

/** The days that a forecast of the series on that day corrects or leaves out, ascending. */
export async function cleaningOf(series: number, asOf: string): Promise<CleanedDay[]> {
  const row = await SELECT.one
    .from(Series)
    .columns('source_ID', 'sku', 'location', 'predecessors', 'takesOverOn')
    .where({ ID: series })
  if (!row) return []
  const source = Number(row.source_ID)
  const learnt = await loadLearnt(source, () => asOf)
  const context = learnt?.contexts.get(String(row.location)) ?? EMPTY_CONTEXT
  const all = [series, ...(row.predecessors ?? [])]
  const reads = await loadStockReads(source)
  const read = async (returns: 'net' | 'booked') => {
    const options = { historyDays: historyDays(context), reads, returns }
    const found = await loadForecastHistories(all, asOf, options)
    const [own, ...former] = all.map((ID) => found.get(ID) ?? EMPTY_HISTORY)
    return former.length ? mergeHistories(own!, former, toEpochDay(row.takesOverOn!)) : own!
  }
  const history = await read('net')
  const pair = { sku: String(row.sku), location: String(row.location) }
  const [plan] = (await (await Plans.load(source, asOf))?.of([pair])) ?? []
  const days = cleanedDays({ ...history, ...plan }, toEpochDay(asOf), context)
  return withReturns(
    days.map(({ day, ...rest }) => ({ date: toDate(day), ...rest })),
    history,
    await read('booked'),
  )
}

/** The days of planned promotions of a series from a day on. */
export async function promotionDaysOf(series: number, asOf: string): Promise<number[]> {
  const row = await SELECT.one
    .from(Series)
    .columns('source_ID', 'sku', 'location')
    .where({ ID: series })
  if (!row) return []
  const plans = await Plans.load(Number(row.source_ID), asOf)
  const [plan] = (await plans?.of([{ sku: String(row.sku), location: String(row.location) }])) ?? []
  const ofEffects = (plan?.effects ?? [])
    .filter(({ kind }) => kind === 'promotion')
    .flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, at) => from + at))
  return [...new Set([...(plan?.plan ?? []), ...ofEffects])].filter(
    (day) => day >= toEpochDay(asOf),
  )
}

/** Returns reduce the sales before them when a history is read. */
function withReturns(days: CleanedDay[], net: DemandHistory, booked: DemandHistory): CleanedDay[] {
  const byDate = new Map(days.map((day) => [day.date, day]))
  const kept = new Map([...net.days].map((day, at) => [day, net.quantities[at]!]))
  booked.days.forEach((day, at) => {
    const [units, taken] = [booked.quantities[at]!, kept.get(day) ?? 0]
    if (units === taken) return
    const date = toDate(day)
    const known = byDate.get(date) ?? { date, taken, reasons: [] }
    byDate.set(date, { ...known, booked: units, reasons: ['return', ...known.reasons] })
  })
  return [...byDate.values()].sort((a, b) => (a.date < b.date ? -1 : 1))
}
