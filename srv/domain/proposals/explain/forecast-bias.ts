// Caches answers that only a sync changes, by what the user sees. Values are cached and no promises: whoever holds SQLite's
// one connection must not wait for a read by somebody else.
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

// The bias of forecasts: by how much the P50 was above or below the demand.

const MONTHS = 3
/** The median of intermittent and lumpy demand is below its mean, so that their bias means nothing. */
const REGULAR = ['smooth', 'erratic']

interface Sum {
  kind: string
  month: string
  cases: number | string
  p50: number | string
  demand: number | string
}

/** P50 minus demand in percent of demand, over the latest three months and pairs with regular demand. */
interface ForecastBias {
  /** Null if nothing was measured. */
  percent: number | null
  windows: number
  /** The first day of the first and of the last month. */
  from: string | null
  to: string | null
  /** Whether it was measured by forecasting the past again. */
  isReplay: boolean
}

export const readForecastBias = (visible: Predicate | null) =>
  keptUntilSync('bias', visible, () => measureBias(visible))

/** Measures forecasts that were really given; while there are none, those of a replay of the past. */
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

/** The sums over the pairs that the user sees. */
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
