import {
  type BacktestComparison,
  type Days,
  DEMAND_CLASSES,
  type DemandClass,
  type EpochDay,
  type Metrics,
  metricsOf,
  type Scores,
  toDate,
} from '../../engine/index.ts'
import { type Column, tableOf } from '../table.ts'
import type { Rhythm } from './backtest-origins.ts'
import type { PairScores } from './backtest-worst.ts'
import type { Pair } from './pairs.ts'

export interface BacktestResult {
  rhythm: Rhythm
  /** In days, weeks or months, as the rhythm says. */
  horizons: number[]
  origins: { day: EpochDay; horizons: Days[] }[]
  all: BacktestComparison
  classes: Record<DemandClass, BacktestComparison>
  /** Those whose P50 was the most units off, the worst first. */
  worst: (PairScores & Pair)[]
}

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

function worstJson({ sku, location, restock, seasonalNaive }: BacktestResult['worst'][number]) {
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

export function toText(result: BacktestResult): string {
  const { rhythm, origins, horizons, all, classes } = result
  const days = origins.map(({ day }) => toDate(day)).join(', ')
  const booked =
    rhythm === 'day' ? '' : `\nDemand is booked by ${rhythm}: it is scored over whole ${rhythm}s.`
  const [COLUMNS, BASELINE_COLUMNS] = columnsOf(rhythm)
  const parts = [
    `As of ${days}; every series with enough sales by then.${booked}\n`,
    tableOf(COLUMNS, rowsOf(horizons, usualScores(all))),
    '\nBy how regular the demand is:\n',
    tableOf(
      [
        { head: 'demand', value: ({ name }) => name },
        { head: `${rhythm}s`, value: ({ horizon }) => horizon, isRightAligned: true },
        { head: 'cases', value: ({ restock }) => restock?.cases, isRightAligned: true },
        {
          head: 'loss',
          value: ({ restock }) => fixed(restock?.scaledPinballLoss),
          isRightAligned: true,
        },
        {
          head: 'naive',
          value: ({ naive }) => fixed(naive?.scaledPinballLoss),
          isRightAligned: true,
        },
        {
          head: 'coverage',
          value: ({ restock }) => percent(restock?.coverage),
          isRightAligned: true,
        },
      ],
      classRows(horizons, classes),
    ),
  ]
  if (hasBaseline(all))
    parts.push(
      '\nCompared with the baseline of the file, where it has one for every day of the horizon:\n',
      tableOf(BASELINE_COLUMNS, rowsOf(horizons, baselineScores(all))),
    )
  return [...parts, ...worstText(result), EXPLANATION].join('\n')
}

function worstText({ worst, all }: BacktestResult): string[] {
  if (!worst.length) return []
  const total = all.restock.reduce((sum, { error }) => sum + error, 0)
  return [
    `\nThe ${worst.length} SKUs whose P50 was the most units off, over all horizons:\n`,
    tableOf<BacktestResult['worst'][number]>(
      [
        { head: 'sku', value: ({ sku }) => sku },
        { head: 'location', value: ({ location }) => location },
        number('cases', ({ restock }) => restock.cases),
        number('demand', ({ restock }) => Math.round(restock.demand)),
        number('off', ({ restock }) => Math.round(restock.error)),
        number('of all', ({ restock }) => percent(total ? restock.error / total : null)),
        number('error', ({ restock }) => percent(metricsOf(restock)?.error)),
        number('bias', ({ restock }) => percent(metricsOf(restock)?.bias)),
        number('naive off', ({ seasonalNaive }) => Math.round(seasonalNaive.error)),
      ],
      worst,
    ),
  ]
}

const number = <Row>(head: string, value: (row: Row) => string | number | null) => ({
  head,
  value,
  isRightAligned: true,
})

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
const fixed = (value: number | null | undefined) => value?.toFixed(4) ?? null

const column = (head: string, value: (metrics: Metrics) => string | number | null) => ({
  head,
  value: ({ metrics }: Row) => metrics && value(metrics),
  isRightAligned: true,
})

const BIAS = column('bias', ({ bias }) => percent(bias))
const ERROR = column('error', ({ error }) => percent(error))

/** Those of the scores, and those of the comparison with the file's own forecast. */
function columnsOf(rhythm: Rhythm): [Column<Row>[], Column<Row>[]] {
  const first = [
    { head: `${rhythm}s`, value: ({ horizon }: Row) => horizon, isRightAligned: true },
    { head: 'forecast', value: ({ forecast }: Row) => forecast.replace('_', ' ') },
    column('cases', ({ cases }) => cases),
  ]
  const scores = [
    column('loss', ({ scaledPinballLoss }) => fixed(scaledPinballLoss)),
    column('weighted loss', ({ weightedQuantileLoss }) => fixed(weightedQuantileLoss)),
    column('coverage', ({ coverage }) => percent(coverage)),
    column('above P90', ({ aboveP90 }) => percent(aboveP90)),
  ]
  return [
    [...first, ...scores, BIAS, ERROR],
    [...first, ERROR, BIAS],
  ]
}

const EXPLANATION = `
Loss is the pinball loss over P10, P50, P90, scaled by the day-to-day change of demand. A dash stands where
there is nothing to divide by: demand never changed, or there was none.
Coverage is the share of cases between P10 and P90: 80 % is right. Bias and error are those of the P50, as
shares of the demand. Smooth and erratic demand comes every 1.32 days or more often, intermittent and lumpy
more rarely; the sizes of erratic and lumpy demand vary by a CV² of .49 or more.`
