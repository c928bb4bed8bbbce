// Answers that only a sync changes, by what the user sees. What is kept are values: whoever holds SQLite's one connection
// must not wait for another's read.
import { LRUCache } from 'lru-cache'
import {
  ForecastScores,
  ForecastSeriesScores,
  readAs,
  Series,
  Syncs,
} from '../../../base/database/entities.ts'
import { today } from '../../../base/time/days.ts'
import type { Predicate } from '../../authority/index.ts'

const KEPT_MS = 600_000

const kept = new LRUCache<string, object>({ max: 200, ttl: KEPT_MS })

export async function keptUntilSync<T extends object>(
  name: string,
  visible: Predicate | null,
  read: () => Promise<T>,
): Promise<T> {
  const [last] = await readAs<{ ID: number; finishedAt: string }>(
    SELECT.from(Syncs)
      .columns('max(finishedAt) as finishedAt', 'count(*) as ID')
      .where({ finishedAt: { '!=': null } }),
  )
  const key = JSON.stringify([name, visible, last, today()])
  const known = kept.get(key) as T | undefined
  if (known) return known
  const found = await read()
  kept.set(key, found)
  return found
}

// By how much the P50 was above or below what came.

const MONTHS = 3
/** The median of intermittent and lumpy demand lies below its mean: there a bias says nothing. */
const REGULAR = ['smooth', 'erratic']

interface Sum {
  kind: string
  month: string
  cases: number | string
  p50: number | string
  demand: number | string
}

/** P50 less demand in percent of demand, of the latest three months; pairs with regular demand alone. */
interface ForecastBias {
  /** Null while nothing was measured. */
  percent: number | null
  windows: number
  /** The first day of the first and of the last month. */
  from: string | null
  to: string | null
  /** Measured by forecasting the past anew. */
  isReplay: boolean
}

export const readForecastBias = (visible: Predicate | null) =>
  keptUntilSync('bias', visible, () => measureBias(visible))

/** By forecasts that were given; by replayed ones while there are no others. */
async function measureBias(visible: Predicate | null): Promise<ForecastBias> {
  const sums = await readSums(visible)
  const given = sums.filter(({ kind }) => kind === 'given')
  const all = given.length ? given : sums
  const last = all.reduce((month, sum) => (sum.month > month ? sum.month : month), '')
  if (!last) return { percent: null, windows: 0, from: null, to: null, isReplay: false }
  const from = monthsBefore(last, MONTHS - 1)
  const shown = all.filter(({ month }) => month >= from)
  const total = (name: 'cases' | 'p50' | 'demand') =>
    shown.reduce((sum, each) => sum + Number(each[name]), 0)
  const demand = total('demand')
  return {
    percent: demand > 0 ? (100 * (total('p50') - demand)) / demand : null,
    windows: total('cases'),
    from: shown.map(({ month }) => month).sort()[0]!,
    to: last,
    isReplay: !given.length,
  }
}

function monthsBefore(month: string, count: number) {
  const day = new Date(`${month}T00:00:00Z`)
  day.setUTCMonth(day.getUTCMonth() - count)
  return day.toISOString().slice(0, 10)
}

const COLUMNS = [
  ...(['kind', 'month', 'sum(cases) as cases'] as const),
  ...(['sum(p50) as p50', 'sum(demand) as demand'] as const),
] as const

/** Of a user who sees some pairs alone, those of these pairs. */
function readSums(visible: Predicate | null): Promise<Sum[]> {
  const query = visible
    ? SELECT.from(ForecastSeriesScores).where({
        series: { in: SELECT.from(Series).columns('ID').where(visible) },
      })
    : SELECT.from(ForecastScores)
  return readAs<Sum>(
    query
      .columns(...COLUMNS)
      .where({ demandClass: { in: REGULAR } })
      .groupBy('kind', 'month'),
  )
}
