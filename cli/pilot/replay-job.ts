// What a thread does: the past of some pairs, as it was and as the proposals would have made it.
import {
  type Calibration,
  type Days,
  demandDistribution,
  type DemandHistory,
  type Distribution,
  type EpochDay,
  forecastPair,
  type ForecastModel,
  type LocationContext,
  predictQuantiles,
  salesWithoutStock,
  sellsWithoutStock,
  toDate,
  type Units,
} from '../../engine/index.ts'

import {
  type DemandForecast,
  type SupplierLimits,
  type Weekday,
  weekdayOf,
} from '../../engine/proposal/index.ts'
import {
  countOwn,
  DAYS_BEFORE,
  type OpenOrder,
  ownPath,
  type OwnPath,
  type Replay,
  replayTogether,
  type Tally,
  wantedDemand,
} from '../../engine/replay/index.ts'
import { type Histories, historyOf } from '../offline/histories.ts'
import type { OrderLines, PastPair, Window } from './past.ts'

/** Why a pair is left out. */
export const REASONS = ['no_lead_time', 'no_cost', 'no_stock', 'too_new', 'contradicts'] as const
export type Reason = (typeof REASONS)[number]

/** What was known on a day of a review. */
export interface Review {
  contexts: LocationContext[]
  /** Its place among the calibrations. */
  calibration: number
}

export interface ReplayJob {
  window: Window
  histories: Histories
  levels: Histories
  lines: OrderLines
  hasReceipts: boolean
  locationOfPair: Int32Array
  /** By day of the window: of the first of each week, and of others on which some supplier takes orders. */
  reviews: (Review | null)[]
  calibrations: (Calibration | null)[]
  /** Past orders of each supplier by the day on which they were placed, with the days that they took. */
  leadTimes: Record<string, LeadTimes>
}

/** Pairs that are ordered together; one that goes by itself where nothing is asked of the order. */
export interface ReplayOrder {
  limits: SupplierLimits | null
  pairs: NumberedPair[]
}

interface NumberedPair {
  number: number
  terms: Omit<PastPair, 'supplierOrder'>
}

export interface LeadTimes {
  ordered: Int32Array
  days: Int32Array
}

export interface ReplayedPair {
  pair: number
  own: Float64Array
  restock: Float64Array
  /** Days of the company's order lines, counted from the first of the window; without receipts rises of stock. */
  ownOrders: Days[]
  orders: Days[]
  /** Those of them on which the supplier's minimum could not be reached. */
  belowMinimum: Days[]
  ownEnd: { onHand: Units; onOrder: Units }
  restockEnd: { onHand: Units; onOrder: Units }
  isNamed: boolean
  unexplained: Units
  estimated: Units
  unknownDays: Days
  /** Whether less than a year of demand came before its first week. */
  isYoung: boolean
  /** Days of the window of which the stock is not known, after the pair's first one. */
  gapDays: Days
}

export type PairResult = ReplayedPair | { pair: number; reason: Reason }

const WEEK: Days = 7
const YEAR: Days = 365
/** Of a SKU that was sold for the first time nothing was known, so its replay begins so many days later. */
const FIRST_DAYS: Days = 28
/** Units that nothing explains, as a share of what was sold or came: more, and the stock counted back means nothing. */
const MOST_UNEXPLAINED = 0.2

export const replayOrders = ({ job, orders }: { job: ReplayJob; orders: ReplayOrder[] }) =>
  orders.flatMap((order) => replayOrder(job, order))

function replayOrder(job: ReplayJob, { limits, pairs }: ReplayOrder): PairResult[] {
  const results: PairResult[] = []
  const prepared: Prepared[] = []
  for (const pair of pairs) {
    const found = prepare(job, pair)
    if (typeof found === 'string') results.push({ pair: pair.number, reason: found })
    else prepared.push(found)
  }
  const replays = prepared.map(({ replay }) => replay)
  replayTogether(replays, limits).forEach((replayed, at) => {
    const { own, replay } = prepared[at]!
    const orders = replayed.orders.filter(({ day }) => replay.counted[day])
    results.push({
      ...own,
      restock: replayed.tally.values,
      orders: orders.map(({ day }) => day),
      belowMinimum: orders.flatMap(({ day, isBelowMinimum }) => (isBelowMinimum ? [day] : [])),
      restockEnd: replayed.end,
    })
  })
  return results
}

/** A pair that can be replayed, and what the company had of it. */
interface Prepared {
  replay: Replay
  own: Omit<ReplayedPair, 'restock' | 'orders' | 'belowMinimum' | 'restockEnd'>
}

function prepare(job: ReplayJob, { number: pair, terms }: NumberedPair): Prepared | Reason {
  const { window, locationOfPair } = job
  if (terms.planning.leadTimeDays === null) return 'no_lead_time'
  if (terms.unitCost === null || !(terms.unitCost > 0)) return 'no_cost'
  const history = historyOf(job.histories, pair)
  const context = job.reviews.findLast((each) => each !== null)!.contexts[locationOfPair[pair]!]!
  const end = window.start + window.days
  const waits = sellsWithoutStock(salesWithoutStock(history, end), context.sellsWithoutStock)
  const path = pathOf(job, pair, history, waits)
  if (!path) return 'no_stock'
  const sold = soldBy(history, window)
  if (!path.isNamed && contradicts(path, sold)) return 'contradicts'
  const begins = firstKnown(path, firstDay(history, window), window)
  if (begins >= window.days) return 'too_new'
  path.counted.fill(0, 0, begins)
  const gapDays = path.counted.reduce((sum, counted) => sum + 1 - counted, 0) - begins
  const { units: wanted, estimated, unknownDays } = wantedDemand(sold, path, waits)
  const own = countOwn(path, wanted)
  const ownOrders = countOrders(job, pair, path, own)
  const review = WEEK * Math.max(1, Math.round((terms.planning.reviewPeriodDays ?? WEEK) / WEEK))
  const lines = linesOf(job, pair)
  const ofSupplier = job.leadTimes[terms.planning.supplier ?? '']
  const isKept = terms.costs.unmetDemand !== 'lost'
  const replay: Replay = {
    terms: {
      planning: { ...terms.planning, reviewPeriodDays: review, phaseOutOn: null },
      policy: {
        ...terms.policy,
        costs: terms.costs,
        reviewPeriodDays: review,
        supplierRequired: false,
      },
      waits: isKept,
    },
    wanted,
    counted: path.counted,
    start: {
      day: begins,
      net: isKept ? path.net[begins]! : Math.max(0, path.net[begins]!),
      open: openAt(job, Math.round(terms.planning.leadTimeDays), path, lines, begins),
    },
    reviews: terms.planning.orderDays?.length
      ? orderDaysFrom(begins, terms.planning.orderDays, window)
      : reviewsFrom(begins, review, window),
    dateOf: (day) => toDate(window.start + day),
    forecastAt: (day) => forecastOf(modelAt(job, pair, history, day)),
    leadTimeAt: (day) =>
      nearest(lines.leadTimes, window.start + day) ??
      (ofSupplier && nearest(ofSupplier, window.start + day)) ??
      Math.round(terms.planning.leadTimeDays!),
  }
  return {
    replay,
    own: {
      pair,
      own: own.values,
      ownOrders,
      ownEnd: { onHand: Math.max(0, path.net[window.days]!), onOrder: lines.openAt(end) },
      isYoung: (history.days[0] ?? Infinity) > window.start + begins - YEAR,
      ...{ isNamed: path.isNamed, unexplained: path.unexplained, estimated, unknownDays, gapDays },
    },
  }
}

/** The first week from a day on of which the stock of the first morning is known. */
function firstKnown({ net }: OwnPath, begins: Days, { days }: Window): Days {
  while (begins < days && Number.isNaN(net[begins]!)) begins += WEEK
  return begins
}

/** Counted from the first day of the window, so that pairs of a supplier meet in its orders whenever they begin. */
function reviewsFrom(begins: Days, review: Days, { days }: Window): Days[] {
  const first = review * Math.ceil(begins / review)
  return Array.from({ length: Math.ceil(days / review) }, (_, i) => first + i * review)
}

const orderDaysFrom = (begins: Days, orderDays: readonly Weekday[], { start, days }: Window) =>
  Array.from({ length: days - begins }, (_, i) => begins + i).filter((day) =>
    orderDays.includes(weekdayOf(toDate(start + day)) as Weekday),
  )

/** The first week that is replayed: of a pair that sold before the window the first one of all. */
function firstDay({ days, quantities }: DemandHistory, { start }: Window): Days {
  const first = days[quantities.findIndex((units) => units > 0)]
  if (first === undefined) return Infinity
  return Math.max(0, WEEK * Math.ceil((first + FIRST_DAYS - start) / WEEK))
}

/** Sold by day, from `DAYS_BEFORE` days before the window on. */
function soldBy({ days, quantities }: DemandHistory, { start, days: length }: Window) {
  const sold = new Float64Array(DAYS_BEFORE + length)
  for (let i = 0; i < days.length; i++) {
    const at = days[i]! - start + DAYS_BEFORE
    if (at >= 0 && at < sold.length) sold[at]! += quantities[i]!
  }
  return sold
}

function pathOf(
  job: ReplayJob,
  pair: number,
  history: DemandHistory,
  waits: boolean,
): OwnPath | null {
  const { window, hasReceipts } = job
  const { start, days } = window
  const levels = new Float64Array(days + 1).fill(NaN)
  const known = historyOf(job.levels, pair)
  for (let i = 0; i < known.days.length; i++) {
    const at = known.days[i]! - start + 1
    if (at >= 0 && at <= days) levels[at] = known.quantities[i]!
  }
  let receipts: Float64Array | null = null
  if (hasReceipts) {
    receipts = new Float64Array(days)
    const { starts, received, quantities } = job.lines
    for (let i = starts[pair]!; i < starts[pair + 1]!; i++) {
      const at = received[i]! - start
      if (at >= 0 && at < days) receipts[at]! += quantities[i]!
    }
  }
  const sold = soldBy(history, window).subarray(DAYS_BEFORE)
  return ownPath({ days, sold, levels, receipts, waits })
}

function contradicts({ unexplained, arrivals }: OwnPath, sold: Float64Array): boolean {
  const total = (units: Float64Array) => units.reduce((sum, each) => sum + each, 0)
  const turned = Math.max(total(sold.subarray(DAYS_BEFORE)), total(arrivals))
  return unexplained > Math.max(1, MOST_UNEXPLAINED * turned)
}

function linesOf({ lines }: ReplayJob, pair: number) {
  const { starts, ordered, received, quantities } = lines
  const own: { ordered: EpochDay; received: EpochDay; quantity: Units }[] = []
  for (let i = starts[pair]!; i < starts[pair + 1]!; i++)
    own.push({ ordered: ordered[i]!, received: received[i]!, quantity: quantities[i]! })
  const took = own
    .filter(
      (line) => line.quantity > 0 && line.received - line.ordered >= 0 && line.received < Infinity,
    )
    .sort((a, b) => a.ordered - b.ordered)
  return {
    all: own,
    leadTimes: {
      ordered: Int32Array.from(took, (line) => line.ordered),
      days: Int32Array.from(took, (line) => line.received - line.ordered),
    },
    openAt: (end: EpochDay) =>
      own.reduce(
        (sum, line) => (!(line.ordered >= end) && line.received >= end ? sum + line.quantity : sum),
        0,
      ),
  }
}

/** The days that the order took which was placed nearest to a day; undefined for none. */
function nearest({ ordered, days }: LeadTimes, day: EpochDay): Days | undefined {
  let best: number | undefined
  let [low, high] = [0, ordered.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (ordered[middle]! < day) low = middle + 1
    else high = middle
  }
  for (const at of [low - 1, low])
    if (at >= 0 && at < ordered.length)
      if (best === undefined || Math.abs(ordered[at]! - day) < Math.abs(ordered[best]! - day))
        best = at
  return best === undefined ? undefined : days[best]
}

/** What had been ordered before the first morning and came later, as it came; without days of orders, what came within a lead time. */
function openAt(
  { window, hasReceipts }: ReplayJob,
  usual: Days,
  path: OwnPath,
  lines: ReturnType<typeof linesOf>,
  begins: Days,
): OpenOrder[] {
  const first = window.start + begins
  const open: OpenOrder[] = []
  if (!hasReceipts) {
    path.arrivals.forEach((quantity, day) => {
      if (quantity > 0 && day >= begins && day < begins + usual)
        open.push({ placed: day - usual, arrives: day, quantity })
    })
    return open
  }
  for (const { ordered, received, quantity } of lines.all) {
    if (received < first || received === Infinity) continue
    const placed = Number.isNaN(ordered) ? received - usual : ordered
    if (placed < first)
      open.push({ placed: placed - window.start, arrives: received - window.start, quantity })
  }
  return open
}

/** Days of the lines that the company ordered in the window; without receipts of every rise of its stock. */
function countOrders(
  { lines, window, hasReceipts }: ReplayJob,
  pair: number,
  path: OwnPath,
  own: Tally,
): Days[] {
  const { starts, ordered, received, quantities, documents } = lines
  const found = new Map<string, Days>()
  const add = (day: Days, document: number) => {
    if (path.counted[day]) found.set(`${document} ${day}`, day)
  }
  if (!hasReceipts)
    path.arrivals.forEach((units, day) => {
      if (units > 0) add(day, -1)
    })
  else
    for (let i = starts[pair]!; i < starts[pair + 1]!; i++) {
      const day = Number.isNaN(ordered[i]!) ? received[i]! : ordered[i]!
      if (quantities[i]! > 0) add(day - window.start, documents[i]!)
    }
  for (const day of found.values()) own.add(day, 'lines', 1)
  return [...found.values()]
}

function modelAt(job: ReplayJob, pair: number, history: DemandHistory, day: Days): ForecastModel {
  const { contexts, calibration } = job.reviews[day]!
  const context = contexts[job.locationOfPair[pair]!]!
  return forecastPair(
    history,
    job.window.start + day,
    context,
    job.calibrations[calibration] ?? null,
  )
}

/** Each horizon is calculated once. */
function forecastOf(model: ForecastModel): DemandForecast {
  const quantiles: ReturnType<typeof predictQuantiles>[] = []
  const distributions: Distribution[] = []
  return {
    at: (days) => (quantiles[days] ??= predictQuantiles(model, days)),
    distribution: (days) => (distributions[days] ??= demandDistribution(model, days)),
  }
}
