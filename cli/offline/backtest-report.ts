import { DEMAND_CLASSES, metricsOf, toDate } from '../../engine/index.ts'
import type {
  BacktestComparison,
  Days,
  DemandClass,
  EpochDay,
  Metrics,
  Scores,
} from '../../engine/index.ts'
import { type Column, linesOf } from '../table.ts'
import type { Rhythm } from './backtest-origins.ts'
import type { PairScores } from './backtest-job.ts'
import type { Pair } from './pairs.ts'

export interface BacktestResult {
  rhythm: Rhythm
  /** In days, weeks or months, as the rhythm says. */
  horizons: number[]
  origins: { day: EpochDay; horizons: Days[] }[]
  all: BacktestComparison
  classes: Record<DemandClass, BacktestComparison>
  /** Those whose P50 was the most units off, the worst first. */
  worst: Worst[]
}

type Worst = PairScores & Pair

/** The scores of one forecast at one horizon. */
interface Row {
  horizon: number
  forecast: string
  metrics: Metrics | null
}

const rowsOf = (horizons: number[], forecasts: Record<string, Scores[]>): Row[] =>
  horizons.flatMap((horizon, i) =>
    Object.entries(forecasts).map(([forecast, scores]) => ({
      horizon,
      forecast,
      metrics: metricsOf(scores[i]!),
    })),
  )

const usualScores = ({ restock, seasonalNaive }: BacktestComparison) => ({
  restock,
  seasonal_naive: seasonalNaive,
})
const baselineScores = ({ baseline, restockOnBaselineCases }: BacktestComparison) => ({
  restock: restockOnBaselineCases,
  baseline,
})
const hasBaseline = ({ baseline }: BacktestComparison) => baseline.some(({ cases }) => cases > 0)

export function toJson({ rhythm, origins, horizons, all, classes, worst }: BacktestResult) {
  const scoreJson = scoreJsonOf(rhythm)
  return {
    origins: origins.map(({ day }) => toDate(day)),
    rhythm,
    scores: rowsOf(horizons, usualScores(all)).map(scoreJson),
    classes: DEMAND_CLASSES.flatMap((name) =>
      rowsOf(horizons, usualScores(classes[name])).map((row) => ({
        class: name,
        ...scoreJson(row),
      })),
    ),
    ...(hasBaseline(all) && {
      baseline: rowsOf(horizons, baselineScores(all)).map(({ horizon, forecast, metrics }) => ({
        [`horizon_${rhythm}s`]: horizon,
        forecast,
        cases: metrics?.cases ?? 0,
        absolute_error: metrics?.error ?? null,
        bias: metrics?.bias ?? null,
      })),
    }),
    worst: worst.map(worstJson),
  }
}

function worstJson({ sku, location, restock, seasonalNaive }: Worst) {
  const metrics = metricsOf(restock)
  return {
    sku,
    location,
    cases: restock.cases,
    demand: restock.demand,
    units_off: restock.error,
    absolute_error: metrics?.error ?? null,
    bias: metrics?.bias ?? null,
    seasonal_naive_units_off: seasonalNaive.error,
  }
}

const scoreJsonOf =
  (rhythm: Rhythm) =>
  ({ horizon, forecast, metrics }: Row) => ({
    [`horizon_${rhythm}s`]: horizon,
    forecast,
    cases: metrics?.cases ?? 0,
    pinball_loss: metrics?.scaledPinballLoss ?? null,
    weighted_quantile_loss: metrics?.weightedQuantileLoss ?? null,
    coverage: metrics?.coverage ?? null,
    above_p90: metrics?.aboveP90 ?? null,
    bias: metrics?.bias ?? null,
    absolute_error: metrics?.error ?? null,
  })

export function toLines(result: BacktestResult): string[] {
  const { rhythm, origins, horizons, all, classes } = result
  const days = origins.map(({ day }) => toDate(day)).join(', ')
  const booked =
    rhythm === 'day' ? [] : [`Demand is booked by ${rhythm}: it is scored over whole ${rhythm}s.`]
  const baseline = hasBaseline(all)
    ? [
        '',
        'Compared with the baseline of the file, where it has one for every day of the horizon:',
        '',
        ...linesOf([...columnsOf(rhythm), ERROR, BIAS], rowsOf(horizons, baselineScores(all))),
      ]
    : []
  return [
    `As of ${days}; every series with enough sales by then.`,
    ...booked,
    '',
    ...linesOf([...columnsOf(rhythm), ...SCORES, BIAS, ERROR], rowsOf(horizons, usualScores(all))),
    '',
    'By how regular the demand is:',
    '',
    ...linesOf(
      [
        ['demand', ({ name }) => name],
        [`${rhythm}s`, ({ horizon }) => horizon, 'right'],
        ['cases', ({ restock }) => restock?.cases, 'right'],
        ['loss', ({ restock }) => fixed(restock?.scaledPinballLoss), 'right'],
        ['naive', ({ naive }) => fixed(naive?.scaledPinballLoss), 'right'],
        ['coverage', ({ restock }) => percent(restock?.coverage), 'right'],
      ],
      classRows(horizons, classes),
    ),
    ...baseline,
    ...worstLines(result),
    ...EXPLANATION.split('\n'),
  ]
}

function worstLines({ worst, all }: BacktestResult): string[] {
  if (!worst.length) return []
  const total = all.restock.reduce((sum, { error }) => sum + error, 0)
  const columns: Column<Worst>[] = [
    ['sku', ({ sku }) => sku],
    ['location', ({ location }) => location],
    ['cases', ({ restock }) => restock.cases, 'right'],
    ['demand', ({ restock }) => Math.round(restock.demand), 'right'],
    ['off', ({ restock }) => Math.round(restock.error), 'right'],
    ['of all', ({ restock }) => percent(total ? restock.error / total : null), 'right'],
    ['error', ({ restock }) => percent(metricsOf(restock)?.error), 'right'],
    ['bias', ({ restock }) => percent(metricsOf(restock)?.bias), 'right'],
    ['naive off', ({ seasonalNaive }) => Math.round(seasonalNaive.error), 'right'],
  ]
  const title = `The ${worst.length} SKUs whose P50 was the most units off, over all horizons:`
  return ['', title, '', ...linesOf(columns, worst)]
}

const classRows = (horizons: number[], classes: Record<DemandClass, BacktestComparison>) =>
  DEMAND_CLASSES.flatMap((name) =>
    horizons.map((horizon, i) => ({
      name,
      horizon,
      restock: metricsOf(classes[name].restock[i]!),
      naive: metricsOf(classes[name].seasonalNaive[i]!),
    })),
  ).filter(({ restock }) => restock)

const percent = (value: number | null | undefined) =>
  value == null ? null : `${(100 * value).toFixed(1)} %`
const fixed = (value: number | null | undefined) => value?.toFixed(4)

/** What all tables of scores begin with. */
const columnsOf = (rhythm: Rhythm): Column<Row>[] => [
  [`${rhythm}s`, ({ horizon }) => horizon, 'right'],
  ['forecast', ({ forecast }) => forecast.replace('_', ' ')],
  ['cases', ({ metrics }) => metrics?.cases, 'right'],
]

const SCORES: Column<Row>[] = [
  ['loss', ({ metrics }) => fixed(metrics?.scaledPinballLoss), 'right'],
  ['weighted loss', ({ metrics }) => fixed(metrics?.weightedQuantileLoss), 'right'],
  ['coverage', ({ metrics }) => percent(metrics?.coverage), 'right'],
  ['above P90', ({ metrics }) => percent(metrics?.aboveP90), 'right'],
]
const BIAS: Column<Row> = ['bias', ({ metrics }) => percent(metrics?.bias), 'right']
const ERROR: Column<Row> = ['error', ({ metrics }) => percent(metrics?.error), 'right']

const EXPLANATION = `
Loss is the pinball loss over P10, P50, P90, scaled by the day-to-day change of demand. A dash stands where
there is nothing to divide by: demand never changed, or there was none.
Coverage is the share of cases between P10 and P90: 80 % is right. Bias and error are those of the P50, as
shares of the demand. Smooth and erratic demand comes every 1.32 days or more often, intermittent and lumpy
more rarely; the sizes of erratic and lumpy demand vary by a CV² of .49 or more.`
