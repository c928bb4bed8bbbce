import {
  type Days,
  type DemandHistory,
  netReturns,
  toDate,
  toEpochDay,
} from '../../../engine/index.ts'
import { native } from '../native/index.ts'
import { loadStockHistories, loadStockReads, type StockReads } from './stock-history.ts'
import { Series, readAs } from '../entities.ts'
import { inChunks } from '../in-chunks.ts'

/** The engine looks back no further, where demand is booked by day … */
export const HISTORY_DAYS = 730
/** … and where it is booked by the month or week. */
export const POSTED_HISTORY_DAYS = 1830
/** What is learnt looks back further: three years of past forecasts, and a season before the first. */
export const LEARNING_DAYS = 1850
/** Series of a location that stand for all of it where only its habits matter; fewer where there are many. */
const SAMPLE = { ofLocation: 1_000, atLeast: 200, ofAll: 6_000 }
const CHUNK = 250

export interface HistoryOptions {
  historyDays?: Days
  /** Taken off the sales before them, or left on the days on which they were booked. */
  returns?: 'net' | 'booked'
  /** Of their source's stock; without it nothing is said of their stockouts. */
  reads?: StockReads
}

/** Demand of some series in the days before `asOf`, by series number. */
export async function loadHistories(
  series: number[],
  asOf: string,
  { historyDays = HISTORY_DAYS, returns = 'net', reads = NO_READS }: HistoryOptions = {},
): Promise<Map<number, DemandHistory>> {
  const end = toEpochDay(asOf)
  const rows = await native().readDays(series, toDate(end - historyDays), toDate(end - 1))
  const growing = new Map<number, HistoryBuilder>()
  for (const [series, date, quantity, promo] of rows) {
    let history = growing.get(series)
    if (!history) growing.set(series, (history = new HistoryBuilder()))
    history.add(epochDay(date), quantity, promo)
  }
  const stockOf = await loadStockHistories(series, asOf, reads)
  return new Map(
    [...growing].map(([series, history]) => {
      const stock = stockOf(series)
      return [series, { ...history.done(returns), ...(stock && { stock }) }]
    }),
  )
}

const NO_READS: StockReads = { days: new Int32Array(0), hasReports: false }

/** Days are few and come again with every series. */
const epochDays = new Map<string, number>()

function epochDay(date: string): number {
  let day = epochDays.get(date)
  if (day === undefined) epochDays.set(date, (day = toEpochDay(date)))
  return day
}

/** The days of one series as they come, those that are equal added up. */
class HistoryBuilder {
  readonly #days: number[] = []
  readonly #quantities: number[] = []
  readonly #promo: number[] = []
  #knowsPromo = false
  #hasReturns = false

  add(day: number, quantity: number, promo: boolean | null) {
    const last = this.#days.length - 1
    if (quantity < 0) this.#hasReturns = true
    if (promo !== null) this.#knowsPromo = true
    if (this.#days[last] === day) {
      this.#quantities[last]! += quantity
      if (promo) this.#promo[last] = 1
      return
    }
    this.#days.push(day)
    this.#quantities.push(quantity)
    this.#promo.push(promo ? 1 : 0)
  }

  done(returns: 'net' | 'booked'): DemandHistory {
    const quantities = Float64Array.from(this.#quantities)
    if (this.#hasReturns && returns === 'net') netReturns(quantities)
    const promo = this.#knowsPromo ? { promo: Uint8Array.from(this.#promo) } : {}
    return { days: Int32Array.from(this.#days), quantities, ...promo }
  }
}

export const EMPTY_HISTORY: DemandHistory = {
  days: new Int32Array(0),
  quantities: new Float64Array(0),
}

/** Histories of an even sample of each location's series, to learn the habits of the location from. */
export async function loadSample(source: number, asOf: string) {
  const rows = await readAs<{ ID: number; location: string }>(
    SELECT.from(Series).columns('ID', 'location').where({ source_ID: source }).orderBy('ID'),
  )
  const locations = Map.groupBy(rows, ({ location }) => location)
  const share = Math.max(SAMPLE.atLeast, Math.floor(SAMPLE.ofAll / locations.size))
  const chosen = [...locations.values()].flatMap((all) => {
    const step = Math.ceil(all.length / Math.min(SAMPLE.ofLocation, share))
    return all.filter((_, at) => at % step === 0)
  })
  const reads = await loadStockReads(source)
  const sample: { location: string; history: DemandHistory }[] = []
  for (const chunk of inChunks(chosen, CHUNK)) {
    const histories = await loadHistories(
      chunk.map(({ ID }) => ID),
      asOf,
      { historyDays: LEARNING_DAYS, reads },
    )
    for (const { ID, location } of chunk) {
      const history = histories.get(ID)
      if (history) sample.push({ location, history })
    }
  }
  return sample
}
