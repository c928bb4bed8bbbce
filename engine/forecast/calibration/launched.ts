// What SKUs that were launched before tell of one that is four weeks old or more: where the forecasts that would have been made of
// them then were off.
import type { Days, Units } from '../../types.ts'
import { LAUNCH_HORIZONS, type LaunchRule, NEW_AFTER } from '../../series/launches.ts'
import { bestMove, type Case } from '../analogues.ts'
import { YOUNG } from '../cold-start.ts'
import { writeRegularQuantiles } from '../regular.ts'
import type { Calibration } from './calibration.ts'
import { type PastSeries, seriesAt } from './past-series.ts'

/** Days since the first sale at which past launches are looked at. */
const AGES: readonly Days[] = [28, 42, 63]
const FEWEST = 20
/** More tell no more. */
const MOST = 240
/** By how much launches of the same months may all have been moved alike, in distances from P50 to P90. */
const COMMON = 0.4

/**
 * Rules by age for one of {@link LAUNCH_HORIZONS}, tried from the older half of the launches on the newer one and the other way;
 * none where too few are known.
 * @param learnt what holds for that horizon
 */
export function learnLaunched(
  all: readonly PastSeries[],
  learnt: Calibration,
  horizon: Days,
): LaunchRule[] {
  const oldest = AGES.at(-1)! + LAUNCH_HORIZONS.at(-1)!
  const known = all.filter(
    (past) => isLaunch(past) && past.values.length >= oldest && !isYoung(past, AGES[0]!),
  )
  if (known.length < FEWEST) return []
  const count = Math.min(MOST, known.length)
  const launches = Array.from(
    { length: count },
    (_, i) => known[Math.floor((i * known.length) / count)]!,
  ).sort((a, b) => b.values.length - a.values.length)
  return AGES.map((age) => {
    const cases = launches.map((past) => caseOf(past, learnt, age, horizon))
    const halves = [cases.slice(0, count >> 1), cases.slice(count >> 1)]
    return { age, horizon, ...bestMove(halves, COMMON) }
  })
}

function caseOf(past: PastSeries, learnt: Calibration, age: Days, horizon: Days): Case {
  const said = new Float64Array(3)
  const series = seriesAt(past, age, horizon)
  const day = past.end - past.values.length + age
  writeRegularQuantiles(series, [horizon], learnt, day - past.knownFrom, said)
  let came: Units = 0
  for (let t = age; t < age + horizon; t++) came += past.values[t]!
  return { said, came }
}

/** It was forecast otherwise then. */
const isYoung = ({ values }: PastSeries, age: Days) =>
  values.subarray(0, age).filter((units) => units > 0).length < YOUNG.sales

const isLaunch = ({ values, end, knownFrom, every }: PastSeries) =>
  every === null && end - values.length >= knownFrom + NEW_AFTER
