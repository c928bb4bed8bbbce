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
import { tableOf } from '../table.ts'

export interface BacktestResult {
  origins: EpochDay[]
  horizons: Days[]
  all: BacktestComparison
  classes: Record<DemandClass, BacktestComparison>
}

/** The scores of one forecast at one horizon. */
interface Row {
  horizon: Days
  forecast: string
  metrics: Metrics | null
}

const rowsOf = (horizons: Days[], forecasts: Record<string, Scores[]>): Row[] =>
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

export function toJson({ origins, horizons, all, classes }: BacktestResult) {
  return {
    origins: origins.map(toDate),
    scores: rowsOf(horizons, usualScores(all)).map(scoreJson),
    classes: DEMAND_CLASSES.flatMap((name) =>
      rowsOf(horizons, usualScores(classes[name])).map((row) => ({
        class: name,
        ...scoreJson(row),
      })),
    ),
    ...(hasBaseline(all) && {
      baseline: rowsOf(horizons, baselineScores(all)).map(({ horizon, forecast, metrics }) => ({
        horizon_days: horizon,
        forecast,
        cases: metrics?.cases ?? 0,
        absolute_error: metrics?.error ?? null,
        bias: metrics?.bias ?? null,
      })),
    }),
  }
}

const scoreJson = ({ horizon, forecast, metrics }: Row) => ({
  horizon_days: horizon,
  forecast,
  cases: metrics?.cases ?? 0,
  pinball_loss: metrics?.scaledPinballLoss ?? null,
  weighted_quantile_loss: metrics?.weightedQuantileLoss ?? null,
  coverage: metrics?.coverage ?? null,
  above_p90: metrics?.aboveP90 ?? null,
  bias: metrics?.bias ?? null,
  absolute_error: metrics?.error ?? null,
})

export function toText({ origins, horizons, all, classes }: BacktestResult): string {
  const parts = [
    `As of ${origins.map(toDate).join(', ')}; every series with enough sales by then.\n`,
    tableOf(COLUMNS, rowsOf(horizons, usualScores(all))),
    '\nBy how regular the demand is:\n',
    tableOf(
      [
        { head: 'demand', value: ({ name }) => name },
        { head: 'days', value: ({ horizon }) => horizon, isRightAligned: true },
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
  return [...parts, EXPLANATION].join('\n')
}

const classRows = (horizons: Days[], classes: Record<DemandClass, BacktestComparison>) =>
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

const FIRST = [
  { head: 'days', value: ({ horizon }: Row) => horizon, isRightAligned: true },
  { head: 'forecast', value: ({ forecast }: Row) => forecast.replace('_', ' ') },
  column('cases', ({ cases }) => cases),
]
const BIAS = column('bias', ({ bias }) => percent(bias))
const ERROR = column('error', ({ error }) => percent(error))

const COLUMNS = [
  ...FIRST,
  column('loss', ({ scaledPinballLoss }) => fixed(scaledPinballLoss)),
  column('weighted loss', ({ weightedQuantileLoss }) => fixed(weightedQuantileLoss)),
  column('coverage', ({ coverage }) => percent(coverage)),
  column('above P90', ({ aboveP90 }) => percent(aboveP90)),
  BIAS,
  ERROR,
]
const BASELINE_COLUMNS = [...FIRST, ERROR, BIAS]

const EXPLANATION = `
Loss is the pinball loss over P10, P50, P90, scaled by the day-to-day change of demand. A dash stands where
there is nothing to divide by: demand never changed, or there was none.
Coverage is the share of cases between P10 and P90: 80 % is right. Bias and error are those of the P50, as
shares of the demand. Smooth and erratic demand comes every 1.32 days or more often, intermittent and lumpy
more rarely; the sizes of erratic and lumpy demand vary by a CV² of .49 or more.`
