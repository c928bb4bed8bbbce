import { access, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Command } from 'commander'
import {
  sumComparisons,
  type BacktestScores,
  type BacktestComparison,
  type Booking,
  type Days,
  DEMAND_CLASSES,
  type DemandClass,
  type EpochDay,
} from '../engine/index.ts'
import { type HistoryFile, readHistoryFile } from './history-file.ts'
import { chartOf } from './offline/backtest-chart.ts'
import { backtestRange, type Origin } from './offline/backtest-job.ts'
import { type BacktestResult, toJson, toText } from './offline/backtest-report.ts'
import { reportFailure } from './offline/failure.ts'
import { learn } from './offline/learn-job.ts'
import { locationsOf } from './offline/locations.ts'
import {
  atLeast,
  bookingOption,
  chartOption,
  dateOption,
  formatOptions,
  HISTORY,
  horizonsOption,
  returnsOption,
} from './offline/options.ts'
import { withFiles } from './offline/standard-input.ts'
import { createStepReport } from './offline/step-report.ts'
import { neighbour, runRanges, startWorkers, stopWorkers } from './offline/workers.ts'
import type { Workers } from './offline/workers.ts'
import { note, print } from './output.ts'
import { readPlanFile } from './plan-file.ts'
import type { DateFormat } from '../tables/dates.ts'
import type { DecimalSign } from '../tables/numbers.ts'

interface BacktestOptions {
  history: string
  asOf?: EpochDay
  horizons: Days[]
  origins: number
  step: Days
  returns: 'refuse' | 'net'
  booking?: Booking
  plan?: string
  dateFormat?: DateFormat
  decimal?: DecimalSign
  chart?: string
  workers?: number
  json?: boolean
}

/** `restock backtest`: scores the forecasts on the past of a file. */
export function backtestCommand(): Command {
  const command = new Command('backtest')
    .description(
      'Score the forecasts on the past of a file, against seasonal naive and, where the file has a ' +
        'column baseline, against what was forecast then; offline.',
    )
    .requiredOption('--history <file>', HISTORY)
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
    .option(
      '--booking <rhythm>',
      'how demand is booked: daily, weekly or monthly (found from the file)',
      bookingOption,
    )
    .option('--plan <file>', 'what is planned, with columns sku,location,from,to,kind,factor')
    .option(
      '--chart <file>',
      'draw the result as a chart into this .html or .svg file',
      chartOption,
    )
    .option('--workers <number>', 'cores to use (all)', atLeast(1))
    .option('--json', 'print JSON instead of a table')
    .action((options: BacktestOptions) =>
      reportFailure(() =>
        withFiles([options.history, options.plan], (history, plan) =>
          backtest({ ...options, history: history!, plan }),
        ),
      ),
    )
  for (const option of formatOptions()) command.addOption(option)
  return command
}

async function backtest(options: BacktestOptions): Promise<void> {
  const { history, horizons, returns, booking, plan, chart, workers } = options
  const formats = { date_format: options.dateFormat, decimal: options.decimal }
  if (chart) await access(dirname(chart))
  const worker = neighbour(import.meta.url, './offline/backtest-worker')
  const started = await startWorkers(history, worker, workers)
  const report = createStepReport(process.stderr)
  try {
    report('reading the history')
    const reading = { before: options.asOf, returns, baseline: true, formats }
    const file = await readHistoryFile(history, reading)
    file.notes.forEach(note)
    const days = originsOf(file, options)
    if (plan !== undefined)
      file.histories.plans = await readPlanFile(plan, file.pairs, days, formats)
    const scores = await scoresOf({ ...file, booking }, days, horizons, started, report)
    const result = resultOf(days, horizons, scores)
    if (chart) await writeFile(chart, chartOf(result, chart.toLowerCase().endsWith('.html')))
    printResult(result, options.json ?? false)
  } finally {
    report.end()
    await stopWorkers(started)
  }
}

const MS_PER_DAY = 86_400_000

/** The days to forecast from; after the last one the longest horizon still ends before the as-of date. */
function originsOf({ histories }: HistoryFile, options: BacktestOptions): EpochDay[] {
  let end = options.asOf ?? 0
  // One row of the future, often a slip in its year, must not leave nothing to score.
  const tomorrow = Math.floor(Date.now() / MS_PER_DAY) + 1
  if (options.asOf === undefined)
    for (const day of histories.days) if (day < tomorrow) end = Math.max(end, day + 1)
  const last = end - Math.max(...options.horizons)
  return Array.from({ length: options.origins }, (_, i) => last - i * options.step)
}

async function scoresOf(
  { pairs, histories, booking }: HistoryFile & { booking: Booking | undefined },
  days: EpochDay[],
  horizons: Days[],
  started: Workers,
  report: (what: string) => void,
): Promise<Record<DemandClass, BacktestComparison>> {
  const { ofPair: locationOfPair, sample, contextsAsOf } = locationsOf(pairs, histories, booking)
  let learnt = 0
  const learning = () => report(`learning from the past, ${learnt++} of ${days.length} days`)
  learning()
  const origins = await Promise.all(
    days.map(async (day): Promise<Origin> => {
      const contexts = contextsAsOf(day)
      const job = { histories, asOf: day, contexts, locationOfPair, sample }
      const calibration = await learn(started, job)
      learning()
      return { day, contexts, calibration }
    }),
  )
  const job = { histories, horizons, origins, locationOfPair }
  let done = 0
  const parts = await runRanges(started, pairs.length, job, backtestRange, (scores, range) => {
    report(`forecasting the past, ${(done += range.to - range.from)} of ${pairs.length} series`)
    return scores
  })
  return byClass(parts, horizons)
}

const byClass = (
  parts: BacktestScores[],
  horizons: Days[],
): Record<DemandClass, BacktestComparison> => {
  const of = (name: DemandClass) =>
    sumComparisons(
      parts.map((part) => part[name]),
      horizons,
    )
  return {
    smooth: of('smooth'),
    erratic: of('erratic'),
    intermittent: of('intermittent'),
    lumpy: of('lumpy'),
  }
}

function resultOf(
  origins: EpochDay[],
  horizons: Days[],
  classes: Record<DemandClass, BacktestComparison>,
): BacktestResult {
  const all = sumComparisons(
    DEMAND_CLASSES.map((name) => classes[name]),
    horizons,
  )
  return { origins, horizons, all, classes }
}

function printResult(result: BacktestResult, isJson: boolean): void {
  if (result.all.restock.every(({ cases }) => !cases))
    note('no case: nothing was sold often and early enough before these days to be scored')
  print(isJson ? JSON.stringify(toJson(result)) : toText(result))
}
