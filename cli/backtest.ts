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
import type { Country } from '../holidays/public-holidays.ts'
import { type HistoryFile, readHistoryFile } from './history-file.ts'
import { chartOf } from './offline/backtest-chart.ts'
import { backtestRange, type Origin } from './offline/backtest-job.ts'
import { type BacktestPlan, planBacktest } from './offline/backtest-origins.ts'
import { type BacktestResult, toJson, toText } from './offline/backtest-report.ts'
import { worstOf } from './offline/backtest-worst.ts'
import { reportFailure } from './offline/failure.ts'
import { learn } from './offline/learn-job.ts'
import { COUNTRY, countryOption, holidaysFor } from './offline/holidays.ts'
import { type Locations, locationsOf } from './offline/locations.ts'
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
  horizons?: Days[]
  origins: number
  step: Days
  returns: 'refuse' | 'net'
  booking?: Booking
  plan?: string
  country?: Country
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
    .option(
      '--horizons <days>',
      'days of 1..90, joined by commas (default: 7,28,90; whole weeks or months where demand is booked so)',
      horizonsOption,
    )
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
    .option('--country <code>', COUNTRY, countryOption)
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
  const { history, returns, booking, plan, chart, workers } = options
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
    const holidaysAt = await holidaysFor(options.country, knownDays(file, options.asOf))
    const locations = locationsOf(file.pairs, file.histories, { booking, holidaysAt })
    const planned = planBacktest(file.histories, locations, options)
    const days = planned.origins.map(({ day }) => day)
    if (plan !== undefined)
      file.histories.plans = await readPlanFile(plan, file.pairs, days, formats)
    const result = await scoresOf(file, locations, planned, started, report)
    if (chart) await writeFile(chart, chartOf(result, chart.toLowerCase().endsWith('.html')))
    printResult(result, options.json ?? false)
  } finally {
    report.end()
    await stopWorkers(started)
  }
}

const MS_PER_DAY = 86_400_000

/** The first day with a row, and the last that may be forecast from. */
function knownDays({ histories: { days } }: HistoryFile, asOf?: EpochDay): EpochDay[] {
  const last = asOf ?? Math.floor(Date.now() / MS_PER_DAY) + 1
  return [days.reduce((first, day) => Math.min(first, day), last), last]
}

async function scoresOf(
  { pairs, histories }: HistoryFile,
  { ofPair: locationOfPair, sample, contextsAsOf }: Locations,
  planned: BacktestPlan,
  started: Workers,
  report: (what: string) => void,
): Promise<BacktestResult> {
  let learnt = 0
  const learning = () =>
    report(`learning from the past, ${learnt++} of ${planned.origins.length} days`)
  learning()
  const origins = await Promise.all(
    planned.origins.map(async ({ day, horizons }): Promise<Origin> => {
      const contexts = contextsAsOf(day)
      const job = { histories, asOf: day, contexts, locationOfPair, sample }
      const calibration = await learn(started, job)
      learning()
      return { day, contexts, calibration, horizons }
    }),
  )
  const job = { histories, origins, locationOfPair }
  let done = 0
  const parts = await runRanges(started, pairs.length, job, backtestRange, (scores, range) => {
    report(`forecasting the past, ${(done += range.to - range.from)} of ${pairs.length} series`)
    return scores
  })
  const worst = worstOf(
    parts.flatMap((part) => part.worst),
    pairs,
  )
  return {
    ...planned,
    ...sumsOf(
      parts.map(({ scores }) => scores),
      planned.horizons,
    ),
    worst: worst.map((scores) => ({ ...scores, ...pairs[scores.pair]! })),
  }
}

function sumsOf(parts: BacktestScores[], horizons: number[]) {
  const of = (name: DemandClass) =>
    sumComparisons(
      parts.map((part) => part[name]),
      horizons,
    )
  const classes: Record<DemandClass, BacktestComparison> = {
    smooth: of('smooth'),
    erratic: of('erratic'),
    intermittent: of('intermittent'),
    lumpy: of('lumpy'),
  }
  const all = DEMAND_CLASSES.map((name) => classes[name])
  return { classes, all: sumComparisons(all, horizons) }
}

function printResult(result: BacktestResult, isJson: boolean): void {
  if (result.all.restock.every(({ cases }) => !cases))
    note('no case: nothing was sold often and early enough before these days to be scored')
  print(isJson ? JSON.stringify(toJson(result)) : toText(result))
}
