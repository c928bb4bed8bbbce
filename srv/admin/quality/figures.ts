import type { ForecastScore } from '#cds-models/restock'
import type { ServiceRow } from '../../store/service-row.ts'
import type { Row } from '../computed-rows.ts'

/** Sums of restock.ForecastScores. */
export type Score = Omit<ServiceRow<ForecastScore>, 'source'>

const [NEUTRAL, NEGATIVE, CRITICAL, POSITIVE] = [0, 1, 2, 3]
/** With fewer a share says little. */
const FEWEST_CASES = 50
const AIMS = { coverage: 80, above: 10, bias: 0 }
/** The P50s of rare demand add up to less than the demand does, since its middle is below its mean. */
const UNBIASED: readonly unknown[] = ['smooth', 'erratic']
/** Per cent off the aim. */
const [NEAR, FAR] = [10, 20]

/** What all of these scores say together. */
export function figuresOf(scores: readonly Score[]): Row {
  const sum = (
    name: 'cases' | 'covered' | 'above' | 'below' | 'bounded' | 'p50' | 'demand' | 'loss',
  ) => scores.reduce((total, score) => total + Number(score[name]), 0)
  const [cases, demand] = [sum('cases'), sum('demand')]
  const coverage = percent(sum('covered'), cases)
  const aboveP90 = percent(sum('above'), cases)
  const bias = percent(sum('p50') - demand, demand)
  const rate = (value: number | null, aim: number, near = NEAR, far = FAR) =>
    value === null || cases < FEWEST_CASES
      ? NEUTRAL
      : criticalityOf(Math.abs(value - aim), near, far)
  return {
    cases,
    ...{ coverage, aboveP90, belowP10: percent(sum('below'), sum('bounded')), bias },
    weightedLoss: percent(2 * sum('loss'), demand),
    coverageCriticality: rate(coverage, AIMS.coverage),
    aboveCriticality: rate(aboveP90, AIMS.above, NEAR / 2, NEAR),
    biasCriticality: scores.every(({ demandClass }) => UNBIASED.includes(demandClass))
      ? rate(bias, AIMS.bias)
      : NEUTRAL,
  }
}

const criticalityOf = (off: number, near: number, far: number) =>
  off <= near ? POSITIVE : off <= far ? CRITICAL : NEGATIVE

/** To a tenth. */
const percent = (part: number, whole: number): number | null =>
  whole ? Math.round((1000 * part) / whole) / 10 : null

const MONTHS = 3

/** Those of forecasts that were given as soon as there are any, else of the past; of the three latest months. */
export function latest(scores: readonly Score[]): Score[] {
  const given = scores.filter(({ kind }) => kind === 'given')
  const shown = given.length ? given : scores
  const last = shown.reduce((month, score) => (score.month > month ? score.month : month), '')
  if (!last) return []
  const from = new Date(`${last}T00:00:00Z`)
  from.setUTCMonth(from.getUTCMonth() - (MONTHS - 1))
  return shown.filter(({ month }) => month >= from.toISOString().slice(0, 10))
}
