import { Command } from 'commander'
import {
  addScores,
  type BacktestScores,
  calibrate,
  type Days,
  type EpochDay,
  type Metrics,
  metricsOf,
  noBacktestScores,
  toDate,
} from '../engine/index.ts'
import { type HistoryFile, readHistoryFile } from './history-file.ts'
import { backtestRange, type Origin } from './offline/backtest-job.ts'
import { calibrationSample } from './offline/calibration-sample.ts'
import { reportFailure } from './offline/failure.ts'
import type { Histories } from './offline/histories.ts'
import { type Locations, locationsOf } from './offline/locations.ts'
import { atLeast, dateOption, horizonsOption, returnsOption } from './offline/options.ts'
import { neighbour, overRanges, startWorkers, stopWorkers } from './offline/workers.ts'
import { note, print } from './output.ts'
import { tableOf } from './table.ts'

interface BacktestOptions {
  history: string
  asOf?: EpochDay
  horizons: Days[]
  origins: number
  step: Days
  returns: 'refuse' | 'net'
  workers?: number
  json?: boolean
}

/** `restock backtest`: how good the forecasts would have been on a file's own past. */
export function backtestCommand(): Command {
  return new Command('backtest')
    .description('Score the forecasts on the past of a CSV file, against seasonal naive, offline.')
    .requiredOption('--history <file>', 'CSV or CSV.GZ with columns sku,location,date,quantity')
    .option('--as-of <date>', 'only rows before it count (the day after the last row)', dateOption)
    .option('--horizons <days>', 'days of 1..90, joined by commas', horizonsOption, [7, 28, 90])
    .option('--origins <number>', 'past days to forecast from', atLeast(1), 4)
    .option('--step <days>', 'days between them', atLeast(1), 28)
    .option(
      '--returns <how>',
      'negative quantities: refuse, or net against sales',
      returnsOption,
      'refuse',
    )
    .option('--workers <number>', 'cores to use (all)', atLeast(1))
    .option('--json', 'print JSON and not a table')
    .action((options: BacktestOptions) => reportFailure(() => backtest(options)))
}

async function backtest(options: BacktestOptions): Promise<void> {
  const { history, horizons, returns, workers } = options
  const worker = neighbour(import.meta.url, './offline/backtest-worker')
  const started = await startWorkers(history, worker, workers)
  try {
    const file = await readHistoryFile(history, { before: options.asOf, returns })
    const locations = locationsOf(file.pairs, file.histories)
    const days = originsOf(file, options)
    const origins = days.map((day) => knownBy(day, file.histories, locations))
    const job = { histories: file.histories, horizons, origins, locationOfPair: locations.ofPair }
    const parts = await overRanges(started, file.pairs.length, job, backtestRange)
    show(days, horizons, addedUp(parts, horizons), options.json ?? false)
  } finally {
    await stopWorkers(started)
  }
}

/** The last one leaves room for the longest horizon before the as-of date. */
function originsOf({ histories }: HistoryFile, options: BacktestOptions): EpochDay[] {
  let end = options.asOf ?? 0
  if (options.asOf === undefined) for (const day of histories.days) end = Math.max(end, day + 1)
  const last = end - Math.max(...options.horizons)
  return Array.from({ length: options.origins }, (_, i) => last - i * options.step)
}

function knownBy(day: EpochDay, histories: Histories, { ofPair, contextsAsOf }: Locations): Origin {
  const contexts = contextsAsOf(day)
  const sample = calibrationSample(histories, day, (pair) => contexts[ofPair[pair]!]!)
  return { day, contexts, calibration: calibrate(sample, day) }
}

function addedUp(parts: BacktestScores[], horizons: Days[]): BacktestScores {
  const total = noBacktestScores(horizons)
  for (const part of parts)
    horizons.forEach((_, i) => {
      addScores(total.restock[i]!, part.restock[i]!)
      addScores(total.seasonalNaive[i]!, part.seasonalNaive[i]!)
    })
  return total
}

function show(origins: EpochDay[], horizons: Days[], scores: BacktestScores, json: boolean): void {
  const rows = horizons.flatMap((horizon, i) => [
    { horizon, forecast: 'restock', metrics: metricsOf(scores.restock[i]!) },
    { horizon, forecast: 'seasonal_naive', metrics: metricsOf(scores.seasonalNaive[i]!) },
  ])
  if (rows.every(({ metrics }) => !metrics))
    note('no case: nothing was sold often and early enough before these days to be scored')
  if (json) print(JSON.stringify({ origins: origins.map(toDate), scores: rows.map(toJson) }))
  else {
    print(`As of ${origins.map(toDate).join(', ')}; every series with enough sales by then.\n`)
    print(table(rows))
    print(
      '\nLoss is the pinball loss over P10, P50, P90, scaled by the day-to-day change of demand.',
    )
    print(
      'Coverage is the share of cases between P10 and P90: 80 % is right. Bias is that of the P50.',
    )
  }
}

interface Row {
  horizon: Days
  forecast: string
  metrics: Metrics | null
}

function toJson({ horizon, forecast, metrics }: Row) {
  return {
    horizon_days: horizon,
    forecast,
    cases: metrics?.cases ?? 0,
    pinball_loss: metrics?.scaledPinballLoss ?? null,
    weighted_quantile_loss: metrics?.weightedQuantileLoss ?? null,
    coverage: metrics?.coverage ?? null,
    above_p90: metrics?.aboveP90 ?? null,
    bias: metrics?.bias ?? null,
  }
}

function table(rows: Row[]): string {
  const percent = (value: number | undefined) =>
    value === undefined ? null : `${(100 * value).toFixed(1)} %`
  const column = (head: string, value: (metrics: Metrics) => string | number) => ({
    head,
    value: ({ metrics }: Row) => metrics && value(metrics),
    right: true,
  })
  return tableOf<Row>(
    [
      { head: 'days', value: ({ horizon }) => horizon, right: true },
      { head: 'forecast', value: ({ forecast }) => forecast.replace('_', ' ') },
      column('cases', ({ cases }) => cases),
      column('loss', ({ scaledPinballLoss }) => scaledPinballLoss.toFixed(4)),
      column('weighted loss', ({ weightedQuantileLoss }) => weightedQuantileLoss.toFixed(4)),
      column('coverage', ({ coverage }) => percent(coverage)!),
      column('above P90', ({ aboveP90 }) => percent(aboveP90)!),
      column('bias', ({ bias }) => percent(bias)!),
    ],
    rows,
  )
}
