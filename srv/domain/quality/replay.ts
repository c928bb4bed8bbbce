import {
  type Confidence,
  contextFor,
  contextsOf,
  type Days,
  DEFAULT_CASE_RULE,
  demandBetween,
  type DemandClass,
  demandClassOf,
  type DemandHistory,
  EMPTY_CONTEXT,
  type EpochDay,
  forecastPair,
  isCensored,
  naiveForecast,
  netReturns,
  pinballLoss,
  predictDemand,
  type Quantiles,
  scaleOf,
  spreadBookings,
  toDate,
  toSteps,
  type Units,
} from '../../../engine/index.ts'
import { type PackedHistories, unpackHistories } from '../../base/database/demand/pack-histories.ts'

/** How many days a scored forecast covers. */
export const WINDOW: Days = 28

/** A forecast of the {@link WINDOW} that begins on `asOf`, and the demand that came. */
export interface Case {
  asOf: EpochDay
  demandClass: DemandClass
  confidence: Confidence
  p10: Units
  p50: Units
  p90: Units
  demand: Units
}

/** Sums over the cases of a month, a class and a confidence, as restock.ForecastScores holds them. */
export interface Score {
  month: string
  demandClass: DemandClass
  confidence: Confidence
  cases: number
  covered: number
  above: number
  below: number
  bounded: number
  p50: Units
  demand: Units
  loss: Units
}

/** The class of the demand before a day; null if too little was sold to score a forecast. */
export const classAt = (history: DemandHistory, day: EpochDay): DemandClass | null =>
  scaleOf(history, day, DEFAULT_CASE_RULE) === null
    ? null
    : demandClassOf(toSteps(history, day, EMPTY_CONTEXT))

/** A window belongs to the month of its last day. */
const monthOf = (asOf: EpochDay) => `${toDate(asOf + WINDOW - 1).slice(0, 7)}-01`

export function scoresOf(cases: Iterable<Case>): Score[] {
  const scores = new Map<string, Score>()
  for (const { asOf, demandClass, confidence, ...numbers } of cases) {
    const key = { month: monthOf(asOf), demandClass, confidence }
    const name = Object.values(key).join()
    const score = scores.get(name) ?? { ...key, ...NOTHING }
    scores.set(name, addCase(score, numbers))
  }
  return [...scores.values()]
}

const NOTHING = { cases: 0, covered: 0, above: 0, below: 0, bounded: 0, p50: 0, demand: 0, loss: 0 }

type Numbers = Pick<Case, 'p10' | 'p50' | 'p90' | 'demand'>

function addCase(score: Score, { p10, p50, p90, demand }: Numbers): Score {
  score.cases++
  if (demand < p10) score.below++
  else if (demand > p90) score.above++
  else score.covered++
  if (p10 > 0) score.bounded++
  score.p50 += p50
  score.demand += demand
  score.loss += lossOf({ p10, p50, p90 }, demand)
  return score
}

const lossOf = ({ p10, p50, p90 }: Quantiles, demand: Units): Units =>
  (pinballLoss(0.1, demand, p10) + pinballLoss(0.5, demand, p50) + pinballLoss(0.9, demand, p90)) /
  3

/** A case with its series and the seasonal naive forecast. */
export interface SeriesCase extends Case {
  series: number
  naive: Quantiles
}

/** Sums over the cases of a series in a month, as restock.ForecastSeriesScores holds them. */
export interface SeriesScore {
  series: number
  month: string
  /** The class of the last case. */
  demandClass: DemandClass
  cases: number
  p50: Units
  demand: Units
  squares: Units
  error: Units
  loss: Units
  naiveLoss: Units
}

export function seriesScoresOf(cases: Iterable<SeriesCase>): SeriesScore[] {
  const scores = new Map<string, SeriesScore>()
  for (const { series, asOf, demandClass, demand, naive, ...said } of cases) {
    const key = { series, month: monthOf(asOf) }
    const name = Object.values(key).join()
    const sums = scores.get(name) ?? { ...key, demandClass, ...NO_SUMS }
    sums.cases++
    sums.p50 += said.p50
    sums.demand += demand
    sums.squares += demand ** 2
    sums.error += Math.abs(demand - said.p50)
    sums.loss += lossOf(said, demand)
    sums.naiveLoss += lossOf(naive, demand)
    scores.set(name, { ...sums, demandClass })
  }
  return [...scores.values()]
}

const NO_SUMS = { cases: 0, p50: 0, demand: 0, squares: 0, error: 0, loss: 0, naiveLoss: 0 }

// A replay forecasts the past of a sample, each time as if nothing were known from the origin on.

const ORIGINS = 13

/** The first days of the windows, which follow each other without gaps; the last one ends before `asOf`. */
export const originsBefore = (asOf: EpochDay): EpochDay[] =>
  Array.from({ length: ORIGINS }, (_, i) => asOf - (i + 1) * WINDOW)

/** A series with returns on the days on which they were booked. */
interface Sampled {
  location: string
  history: DemandHistory
}

/** The input of {@link replayAll} on a thread. */
export interface ReplayInput {
  histories: PackedHistories
  /** Of each history. */
  locations: string[]
  origins: EpochDay[]
  /** By location the first day whose demand is not known. */
  knownUntil: Record<string, EpochDay>
}

/** `series` is the position in the sample. */
export interface Replayed {
  scores: Score[]
  series: SeriesScore[]
}

export const REPLAY = { name: 'replayAll', module: import.meta.url }

export function replayAll({ histories, locations, origins, knownUntil }: ReplayInput): Replayed {
  const sample = locations.map((location, i) => ({
    location,
    history: unpackHistories(histories, i),
  }))
  const cases = replayCases(sample, origins, knownUntil)
  return { scores: scoresOf(cases), series: seriesScoresOf(cases) }
}

/**
 * The cases of a replay with equally weighted methods: weights learnt at each origin would cost forty times as much. `series`
 * of a case is the position in the sample.
 */
export const replayCases = (
  sample: readonly Sampled[],
  origins: readonly EpochDay[],
  knownUntil: Record<string, EpochDay>,
): SeriesCase[] => origins.flatMap((origin) => casesAt(sample, origin, knownUntil))

function casesAt(
  sample: readonly Sampled[],
  asOf: EpochDay,
  knownUntil: Record<string, EpochDay>,
): SeriesCase[] {
  const end = asOf + WINDOW
  const known = sample.map(({ location, history }) => ({
    location,
    history: knownBefore(history, asOf),
  }))
  const contexts = contextsOf(known, asOf)
  return known.flatMap(({ location, history }, i) => {
    const context = contexts.get(location) ?? EMPTY_CONTEXT
    const { posting } = contextFor(history, asOf, context)
    const later = posting
      ? spreadBookings(knownBefore(sample[i]!.history, Infinity), posting)
      : { ...knownBefore(sample[i]!.history, end), end: knownUntil[location]! }
    const demandClass = end <= later.end ? classAt(history, asOf) : null
    if (!demandClass || isCensored(later, [asOf, end], context)) return []
    const model = forecastPair(history, asOf, context)
    const demand = demandBetween(later, asOf, end)
    const naive = naiveForecast(history, asOf, context, WINDOW)
    return { ...predictDemand(model, WINDOW), asOf, demandClass, demand, naive, series: i }
  })
}

/** The history without sales and returns booked from a day on. */
function knownBefore(
  { days, quantities, promo, stock }: DemandHistory,
  day: EpochDay,
): DemandHistory {
  let count = days.length
  while (count > 0 && days[count - 1]! >= day) count--
  const net = quantities.slice(0, count)
  netReturns(net)
  return {
    days: days.subarray(0, count),
    quantities: net,
    ...(promo && { promo: promo.subarray(0, count) }),
    ...(stock && { stock }),
  }
}
