import { join } from 'node:path'
import { readHistoryFile } from '../../cli/history-file.ts'
import { historyOf } from '../../cli/offline/histories.ts'
import {
  calibrate,
  type Calibration,
  calibrationSample,
  contextsOf,
  type Days,
  type DemandHistory,
  type EpochDay,
  forecastPair,
  type ForecastModel,
} from '../../engine/index.ts'

const SOURCE = join(import.meta.dirname, '../../data/source')

/** Days between two reviews. */
export const REVIEW: Days = 7
/** Days between two looks at the past of all series. */
const CALIBRATED_EVERY: Days = 28

interface SetRule {
  name: string
  file: string
  location?: string
  /** Reviews that are simulated, the last one a week before the end. */
  weeks: number
}

export const SETS: SetRule[] = [
  { name: 'pasta', file: 'pasta_daily.csv.gz', weeks: 52 },
  { name: 'retail', file: 'online_retail_daily_sparse.csv.gz', location: 'UK', weeks: 34 },
]

const PAIRS = 300

export interface Pair {
  /** Units by day, from the set's first day. */
  demand: Float64Array
  /** A forecast for each review, made from the days before it. */
  models: ForecastModel[]
}

export interface DemandSet {
  name: string
  pairs: Pair[]
  /** Of the first review, counted from the set's first day. */
  start: Days
  weeks: number
}

/** The pairs of a set that sold before the first review, evenly spread, with a forecast every so many days. */
export async function loadSet(
  { name, file, location, weeks }: SetRule,
  { every = REVIEW, most = PAIRS }: { every?: Days; most?: number } = {},
): Promise<DemandSet> {
  const read = await readHistoryFile(join(SOURCE, file), { location })
  const all = read.pairs.map((_, pair) => historyOf(read.histories, pair))
  const first = Math.min(...all.map(({ days }) => days[0]!))
  const end = Math.max(...all.map(({ days }) => days.at(-1)! + 1))
  const start = end - weeks * REVIEW
  const live = all.filter((history) => salesBefore(history, start) >= 3)
  const nth = Math.max(1, live.length / most)
  const chosen = live.filter((_, i) => Math.floor(i / nth) > Math.floor((i - 1) / nth))
  const pairs = chosen.map((history) => ({
    demand: byDay(history, first, end),
    models: [] as ForecastModel[],
  }))
  const series = all.map((history) => ({ location: '', history }))
  let calibration: Calibration | null = null
  for (let day = start; day < end; day += every) {
    const context = contextsOf(series, day).get('')!
    if ((day - start) % CALIBRATED_EVERY === 0) {
      calibration = calibrate(
        calibrationSample(all, (history) => history, day).map((history) => ({ history, context })),
        day,
      )
    }
    chosen.forEach((history, i) =>
      pairs[i]!.models.push(forecastPair(history, day, context, calibration)),
    )
  }
  return { name, pairs, start: start - first, weeks }
}

const salesBefore = ({ days, quantities }: DemandHistory, day: EpochDay) =>
  quantities.reduce((sales, units, i) => (units > 0 && days[i]! < day ? sales + 1 : sales), 0)

function byDay({ days, quantities }: DemandHistory, first: EpochDay, end: EpochDay): Float64Array {
  const demand = new Float64Array(end - first)
  days.forEach((day, i) => (demand[day - first]! += quantities[i]!))
  return demand
}
