import { type Days, type EpochDay, periodOrigins, type Posting } from '../../engine/index.ts'
import type { Histories } from './histories.ts'
import type { Locations } from './locations.ts'

/** In what horizons are counted: as demand is booked. */
export type Rhythm = 'day' | 'week' | 'month'

/** Which days to forecast from, and how far. */
export interface BacktestPlan {
  rhythm: Rhythm
  /** In days, weeks or months. */
  horizons: number[]
  origins: { day: EpochDay; horizons: Days[] }[]
}

interface Asked {
  asOf?: EpochDay | undefined
  /** Absent unless somebody asked for these. */
  horizons?: Days[] | undefined
  origins: number
  step: Days
}

const DEFAULT_HORIZONS: Record<Rhythm, number[]> = {
  day: [7, 28, 90],
  week: [1, 4, 12],
  month: [1, 2],
}
const DAYS: Record<Rhythm, Days> = { day: 1, week: 7, month: 365.25 / 12 }
const MS_PER_DAY = 86_400_000

/** Plans a backtest: over whole weeks or months where all demand is booked so, unless other horizons are asked for. */
export function planBacktest(
  histories: Histories,
  { contextsAsOf }: Pick<Locations, 'contextsAsOf'>,
  { asOf, horizons, origins, step }: Asked,
): BacktestPlan {
  const lastBooked = lastDayOf(histories, asOf)
  const posting = horizons ? null : commonPosting(contextsAsOf(lastBooked + 1))
  if (posting) {
    const rhythm = posting.every
    const periods = DEFAULT_HORIZONS[rhythm]
    const steps = Math.max(1, Math.round(step / DAYS[rhythm]))
    const days = periodOrigins(posting, lastBooked, periods, origins, steps)
    return { rhythm, horizons: periods, origins: days }
  }
  const days = horizons ?? DEFAULT_HORIZONS.day
  // The longest horizon after the last origin ends before the as-of date.
  const last = (asOf ?? lastBooked + 1) - Math.max(...days)
  const daily = Array.from({ length: origins }, (_, i) => ({
    day: last - i * step,
    horizons: days,
  }))
  return { rhythm: 'day', horizons: days, origins: daily }
}

/** The last day with a row that counts. One row of the future, often a slip in its year, must not leave nothing to score. */
function lastDayOf({ days }: Histories, asOf?: EpochDay): EpochDay {
  const end = asOf ?? Math.floor(Date.now() / MS_PER_DAY) + 1
  let last = -1
  for (const day of days) if (day < end) last = Math.max(last, day)
  return last
}

/** The rhythm that all locations have, with the most common day of it; null where one has another or none. */
function commonPosting(contexts: { posting?: Posting | null }[]): Posting | null {
  const postings = contexts.map(({ posting }) => posting ?? null)
  const [first] = postings
  if (!first || postings.some((each) => each?.every !== first.every)) return null
  const byDay = Map.groupBy(postings as Posting[], ({ on }) => on)
  const [most] = [...byDay.values()].sort((a, b) => b.length - a.length || a[0]!.on - b[0]!.on)
  return most![0]!
}
