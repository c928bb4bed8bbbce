// Forecasts of a sample's past, each as if nothing were known from its origin on.
import {
  predictDemand,
  contextFor,
  contextsOf,
  demandBetween,
  type DemandHistory,
  EMPTY_CONTEXT,
  type EpochDay,
  forecastPair,
  isCensored,
  naiveForecast,
  netReturns,
  spreadBookings,
} from '../../../engine/index.ts'
import { classAt, type Score, scoresOf, type SeriesCase, WINDOW } from './cases.ts'

const ORIGINS = 13

/** The windows lie end to end, the last one before `asOf`. */
export const originsBefore = (asOf: EpochDay): EpochDay[] =>
  Array.from({ length: ORIGINS }, (_, i) => asOf - (i + 1) * WINDOW)

/** A series whose returns stand on the days on which they were booked. */
export interface Sampled {
  location: string
  history: DemandHistory
}

/**
 * What the methods, weighed alike, would have said; weights learnt as of each origin would cost forty
 * times as much.
 * @param knownUntil by location the day after the last one whose demand is known
 */
export function replaySeries(
  sample: readonly Sampled[],
  origins: readonly EpochDay[],
  knownUntil: Record<string, EpochDay>,
): Score[] {
  return scoresOf(replayCases(sample, origins, knownUntil))
}

/** The same, case by case; `series` is the place in the sample. */
export const replayCases = (...[sample, origins, knownUntil]: Parameters<typeof replaySeries>) =>
  origins.flatMap((origin) => casesAt(sample, origin, knownUntil))

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

/** Without what was sold or given back from a day on. */
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
