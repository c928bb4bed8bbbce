import {
  type Days,
  type DemandHistory,
  LEARNING_DAYS,
  EMPTY_CONTEXT,
  historyDays as daysOf,
  learningSample,
  netReturns,
  saysLittle,
  toDate,
  toEpochDay,
} from '../../../../engine/index.ts'
import { native } from '../native/index.ts'
import { loadStockHistories, loadStockReads, NO_READS, type StockReads } from './stock-history.ts'
import { Series, readAs } from '../entities.ts'
import { inChunks } from '../rows.ts'

const CHUNK = 250
/** The days of history needed if demand is booked by day. */
const USUAL_DAYS = daysOf(EMPTY_CONTEXT)

export interface HistoryOptions {
  historyDays?: Days
  /** Returns reduce the sales before them (`net`), or stay on the days on which they were booked. */
  returns?: 'net' | 'booked'
  /** The reads of the source's stock; without it stockouts are unknown. */
  reads?: StockReads
}

/** Demand of some series in the days before `asOf`, by series number. */
export async function loadHistories(
  series: number[],
  asOf: string,
  { historyDays = USUAL_DAYS, returns = 'net', reads = NO_READS }: HistoryOptions = {},
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

/** A cache, since the same few days come again with every series. */
const epochDays = new Map<string, number>()

function epochDay(date: string): number {
  let day = epochDays.get(date)
  if (day === undefined) epochDays.set(date, (day = toEpochDay(date)))
  return day
}

/** Histories to forecast from; those with little demand go back further, to tell new series from dying ones. */
export async function loadForecastHistories(
  series: number[],
  asOf: string,
  options: HistoryOptions,
): Promise<Map<number, DemandHistory>> {
  const found = await loadHistories(series, asOf, options)
  const wanted = series.filter((ID) => saysLittle(found.get(ID) ?? EMPTY_HISTORY))
  if (!wanted.length) return found
  const whole = { ...options, historyDays: toEpochDay(asOf) }
  for (const [ID, history] of await loadHistories(wanted, asOf, whole)) found.set(ID, history)
  return found
}

/** The history of one series. Quantities of a day are added up by size, whatever the order of its documents. */
class HistoryBuilder {
  readonly #days: number[] = []
  readonly #quantities: number[] = []
  readonly #promo: number[] = []
  /** The quantities of the last day, if there are several. */
  #parts: number[] = []
  #knowsPromo = false
  #hasReturns = false

  add(day: number, quantity: number, promo: boolean | null) {
    const last = this.#days.length - 1
    if (quantity < 0) this.#hasReturns = true
    if (promo !== null) this.#knowsPromo = true
    if (this.#days[last] === day) {
      if (!this.#parts.length) this.#parts.push(this.#quantities[last]!)
      this.#parts.push(quantity)
      if (promo) this.#promo[last] = 1
      return
    }
    this.#addUp()
    this.#days.push(day)
    this.#quantities.push(quantity)
    this.#promo.push(promo ? 1 : 0)
  }

  #addUp() {
    if (!this.#parts.length) return
    this.#parts.sort((a, b) => a - b)
    this.#quantities[this.#quantities.length - 1] = this.#parts.reduce((sum, part) => sum + part, 0)
    this.#parts = []
  }

  done(returns: 'net' | 'booked'): DemandHistory {
    this.#addUp()
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

/**
 * Histories of a sample of each location's series, in natural order, to learn from.
 * @param asOfAt the day before which demand is taken, by location
 */
export async function loadSample(source: number, asOfAt: (location: string) => string) {
  const rows = await readAs<{ ID: number; sku: string; location: string }>(
    SELECT.from(Series).columns('ID', 'sku', 'location').where({ source_ID: source }),
  )
  const chosen = learningSample(rows)
  const reads = await loadStockReads(source)
  const histories = new Map<number, DemandHistory>()
  const options = { historyDays: LEARNING_DAYS, reads }
  for (const [asOf, those] of Map.groupBy(chosen, ({ location }) => asOfAt(location))) {
    const numbers = those.map(({ ID }) => ID).sort((a, b) => a - b)
    for (const chunk of inChunks(numbers, CHUNK))
      for (const [ID, history] of await loadHistories(chunk, asOf, options))
        histories.set(ID, history)
  }
  return chosen.flatMap(({ ID, sku, location }) => {
    const history = histories.get(ID)
    return history ? [{ sku, location, history }] : []
  })
}
