import type { Days, EpochDay } from '../../types.ts'
import type { BoostedHorizon } from '../boosting/boosting.ts'
import { type HeldOut, trainBoosting } from '../boosting/train.ts'
import { METHODS } from '../methods/index.ts'
import { type Calibration, type HorizonBucket, LEARNT_HORIZONS } from './calibration.ts'
import { equalWeights, greedyWeights } from './greedy.ts'
import { type PastSeries, pastSeries, type SampledSeries } from './past-series.ts'
import { type PastWindows, pastWindows } from './past-windows.ts'
import { learnLaunched } from './launched.ts'
import { measureCoverage, type PastCase } from '../coverage.ts'
import { learnTail } from '../tail.ts'

/** With fewer past windows the equal mix is as good. */
const FEWEST_WINDOWS = 150

/** Horizons below it are parts of a month: nothing of them can be learnt where demand is booked by the month. */
const SHORTEST_MONTHLY: Days = 28
/** What all series did in the same few months is no rule: so many times, without overlap, count half … */
const HALF_TIMES = 6
/** … where demand is booked by week those that last so long, if they are fewer: of quarters few are ever known. */
const HALF_DAYS: Days = 168
const RHYTHMS = ['week', 'month'] as const
type Rhythm = (typeof RHYTHMS)[number]

/** What the past teaches about one horizon; plain data. */
export interface LearntHorizon extends LearntSeries {
  /** Of series that are booked by week or month; absent where none are. */
  booked?: { [rhythm in Rhythm]?: LearntSeries }
}

interface LearntSeries {
  isEnough: boolean
  bucket: HorizonBucket
  boosted: BoostedHorizon | null
}

/**
 * Learns from the past of a tenant's series, by horizon: each method forecasts a sample of them from
 * past days on; what then was sold says which methods to trust, and where their mix is off.
 * @param sample some hundred histories, each with its location's context
 * @returns null where the past is too short to say anything
 */
export const calibrate = (sample: readonly SampledSeries[], asOf: EpochDay): Calibration | null =>
  calibrationOf(LEARNT_HORIZONS.map((horizon) => learnHorizon(sample, asOf, horizon)))

/** The few windows far above P90 tell no more of two weeks than those of one and of four. */
const TAILS: ReadonlySet<Days> = new Set([7, 28, 90])

/**
 * A part of {@link calibrate}: the windows of one horizon are let go before those of the next are made,
 * or made by another thread. Series that are booked by week or month learn from their like alone.
 * @param horizon one of {@link LEARNT_HORIZONS}
 */
export function learnHorizon(
  sample: readonly SampledSeries[],
  asOf: EpochDay,
  horizon: Days,
): LearntHorizon {
  const all = sample.map((one) => pastSeries(one, asOf))
  const learnt = learnFrom(
    all.filter(({ every }) => every === null),
    horizon,
  )
  const booked: LearntHorizon['booked'] = {}
  for (const rhythm of RHYTHMS) {
    const series = all.filter(({ every }) => every === rhythm)
    if (series.length) booked[rhythm] = learnBooked(series, rhythm, horizon)
  }
  return isEmpty(booked) ? learnt : { ...learnt, booked }
}

const isEmpty = (object: object) => Object.keys(object).length === 0

function learnBooked(series: readonly PastSeries[], rhythm: Rhythm, horizon: Days): LearntSeries {
  if (rhythm === 'week')
    return learnFrom(series, horizon, Math.min(HALF_TIMES, HALF_DAYS / horizon))
  if (horizon >= SHORTEST_MONTHLY) return learnFrom(series, horizon, HALF_TIMES)
  return { ...learnFrom(series, SHORTEST_MONTHLY), boosted: null }
}

function learnFrom(series: readonly PastSeries[], horizon: Days, halfTimes = 0): LearntSeries {
  const windows = pastWindows(series, horizon)
  const { learning } = windows
  const isEnough = windows.evidence >= FEWEST_WINDOWS && learning.length > 0
  const weights = isEnough ? greedyWeights(windows, learning) : equalWeights()
  const { boosted, held } = trainBoosting(windows, weights, horizon, halfTimes)
  const tail = TAILS.has(horizon) ? learnTail(held, windows.unit, horizon) : null
  const cases = casesOf(held, windows)
  const coverage = cases.length ? measureCoverage(horizon, cases, held.evidence) : null
  const parts = { ...(tail && { tail }), ...(coverage && { coverage }) }
  const bucket = { windows: windows.count, weights, ...parts }
  const launched = learnLaunched(series, ofHorizon(bucket, boosted), horizon)
  return { isEnough, bucket: launched.length ? { ...bucket, launched } : bucket, boosted }
}

/** What would have been answered, and what came. */
const casesOf = (
  { windows, quantiles, demand }: HeldOut,
  { unit, historyDays }: PastWindows,
): PastCase[] =>
  Array.from(windows, (w, i) => {
    const [p10, p50, p90] = [0, 1, 2].map((j) => unit[w]! * quantiles[3 * i + j]!)
    return {
      quantiles: { p10: p10!, p50: p50!, p90: p90! },
      historyDays: historyDays[w]!,
      demand: unit[w]! * demand[i]!,
    }
  })

/** As if all horizons were that one. */
const ofHorizon = (bucket: HorizonBucket, boosted: BoostedHorizon | null): Calibration => ({
  methods: METHODS.map(({ name }) => name),
  buckets: [bucket],
  boosting: { horizons: boosted ? [boosted] : [] },
})

/** What was learnt about all {@link LEARNT_HORIZONS}, in their order. */
export function calibrationOf(learnt: readonly LearntHorizon[]): Calibration | null {
  const own = ofSeries(learnt)
  const booked: Calibration['booked'] = {}
  for (const rhythm of RHYTHMS) {
    const parts = learnt.flatMap((each) => each.booked?.[rhythm] ?? [])
    if (parts.some(({ isEnough }) => isEnough)) booked[rhythm] = ofSeries(parts)
  }
  if (!isEmpty(booked)) return { ...own, booked }
  return learnt.every(({ isEnough }) => !isEnough) ? null : own
}

const ofSeries = (learnt: readonly LearntSeries[]): Calibration => ({
  methods: METHODS.map(({ name }) => name),
  buckets: learnt.map(({ bucket }) => bucket),
  boosting: { horizons: learnt.flatMap(({ boosted }) => boosted ?? []) },
})
