import type { ForecastScore } from '#cds-models/restock'
import type { ServiceRow } from '../../store/service-row.ts'
import type { Row } from '../rows.ts'

/** Sums of restock.ForecastScores. */
export type Score = Omit<ServiceRow<ForecastScore>, 'source'>

const [NEUTRAL, NEGATIVE, CRITICAL, POSITIVE] = [0, 1, 2, 3]
/** Fewer cases get no criticality. */
const MIN_CASES = 50
const TARGETS = { coverage: 80, above: 10, bias: 0 }
/** Classes with a rated bias: the median of intermittent and lumpy demand is below its mean, so its P50 is always biased. */
const UNBIASED: readonly unknown[] = ['smooth', 'erratic']
/** Tolerances in percentage points. */
const [NEAR, FAR] = [10, 20]

/** The figures of all these scores together. */
export function figuresOf(scores: readonly Score[]): Row {
  const sum = (
    name: 'cases' | 'covered' | 'above' | 'below' | 'bounded' | 'p50' | 'demand' | 'loss',
  ) => scores.reduce((total, score) => total + Number(score[name]), 0)
  const [cases, demand] = [sum('cases'), sum('demand')]
  const coverage = percent(sum('covered'), cases)
  const aboveP90 = percent(sum('above'), cases)
  const bias = percent(sum('p50') - demand, demand)
  const rate = (value: number | null, aim: number, near = NEAR, far = FAR) =>
    value === null || cases < MIN_CASES ? NEUTRAL : criticalityOf(Math.abs(value - aim), near, far)
  return {
    cases,
    ...{ coverage, aboveP90, belowP10: percent(sum('below'), sum('bounded')), bias },
    weightedLoss: percent(2 * sum('loss'), demand),
    coverageCriticality: rate(coverage, TARGETS.coverage),
    aboveCriticality: rate(aboveP90, TARGETS.above, NEAR / 2, NEAR),
    biasCriticality: scores.every(({ demandClass }) => UNBIASED.includes(demandClass))
      ? rate(bias, TARGETS.bias)
      : NEUTRAL,
  }
}

const criticalityOf = (off: number, near: number, far: number) =>
  off <= near ? POSITIVE : off <= far ? CRITICAL : NEGATIVE

/** Rounded to one decimal place. */
const percent = (part: number, whole: number): number | null =>
  whole ? Math.round((1000 * part) / whole) / 10 : null

const MONTHS = 3

/** Scores of the latest three months: those of given forecasts, or of replayed ones while there are no others. */
export function latestScores(scores: readonly Score[]): Score[] {
  const given = scores.filter(({ kind }) => kind === 'given')
  const shown = given.length ? given : scores
  const last = shown.reduce((month, score) => (score.month > month ? score.month : month), '')
  if (!last) return []
  const from = new Date(`${last}T00:00:00Z`)
  from.setUTCMonth(from.getUTCMonth() - (MONTHS - 1))
  return shown.filter(({ month }) => month >= from.toISOString().slice(0, 10))
}
