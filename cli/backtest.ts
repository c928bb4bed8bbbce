import { access, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import {
  type BacktestComparison,
  type BacktestScores,
  type Days,
  DEMAND_CLASSES,
  type DemandClass,
  type EpochDay,
  sumComparisons,
} from '../engine/index.ts'
import { command, option } from './command.ts'
import { type HistoryFile, readHistoryFile } from './history-file.ts'
import { chartOf } from './offline/backtest-chart.ts'
import { backtestRange, type Origin, worstOf } from './offline/backtest-job.ts'
import { type BacktestPlan, planBacktest } from './offline/backtest-origins.ts'
import { type BacktestResult, toJson, toLines } from './offline/backtest-report.ts'
import { reportFailure } from './offline/failure.ts'
import { holidaysFor } from './offline/holidays.ts'
import { learn } from './offline/learn-job.ts'
import { type Locations, locationsOf } from './offline/locations.ts'
import {
  chartFile,
  COUNT,
  COUNTRY,
  dayFrom,
  DEMAND,
  FORMATS,
  HISTORY,
  horizonsFrom,
  type OfflineOptions,
  WORKERS,
} from './offline/options.ts'
import { withFiles } from './offline/standard-input.ts'
import { runRanges, withWorkers, type Workers } from './offline/workers.ts'
import { createStepReport, note, print, printDocument } from './output.ts'
import { readPlanFile } from './plan-file.ts'

interface BacktestOptions extends OfflineOptions {
  origins: number
  step: Days
  chart?: string
}

/** `restock backtest`: scores the forecasts on the past of a file. */
export const backtestCommand = () =>
  command({
    name: 'backtest',
    summary:
      'Score the forecasts on the past of a file, against seasonal naive and, where the file has a ' +
      'column baseline, against what was forecast then; offline.',
    examples: ['backtest --history sales.csv.gz --horizons 7,28,90 --origins 4 --step 28'],
    options: [
      HISTORY,
      option('--as-of <date>', 'only rows before it count (the day after the last row)', dayFrom),
      option(
        '--horizons <days>',
        'days of 1..90, joined by commas (default: 7,28,90; whole weeks or months where demand is booked so)',
        horizonsFrom,
      ),
      option('--origins <number>', 'past days to forecast from', COUNT, 4),
      option('--step <days>', 'days between them', COUNT, 28),
      ...DEMAND,
      COUNTRY,
      option(
        '--chart <file>',
        'draw the result as a chart into this .html or .svg file',
        chartFile,
      ),
      WORKERS,
      option('--json', 'print JSON instead of a table'),
      ...FORMATS,
    ],
    run: (options: BacktestOptions) =>
      reportFailure(() =>
        withFiles([options.history, options.plan], (history, plan) =>
          backtest({ ...options, history: history!, plan }),
        ),
      ),
  })

async function backtest(options: BacktestOptions): Promise<void> {
  const { history, returns, booking, plan, chart, workers, asOf, json } = options
  const formats = { date_format: options.dateFormat, decimal: options.decimal }
  if (chart) await access(dirname(chart))
  await withWorkers(history, workers, async (threads) => {
    const report = createStepReport(process.stderr)
    try {
      report('reading the history')
      const reading = { before: asOf, returns, baseline: true, formats }
      const file = await readHistoryFile(history, reading)
      file.notes.forEach(note)
      const holidaysAt = await holidaysFor(options.country, knownDays(file, asOf))
      const locations = locationsOf(file.pairs, file.histories, { booking, holidaysAt })
      const planned = planBacktest(file.histories, locations, options)
      const days = planned.origins.map(({ day }) => day)
      if (plan !== undefined)
        file.histories.plans = await readPlanFile(plan, file.pairs, days, formats)
      const result = await scoresOf(file, locations, planned, threads, report)
      if (chart) await writeFile(chart, chartOf(result, chart.toLowerCase().endsWith('.html')))
      if (result.all.restock.every(({ cases }) => !cases))
        note('no case: nothing was sold often and early enough before these days to be scored')
      if (json) printDocument(JSON.stringify(toJson(result)))
      else print(...toLines(result))
    } finally {
      report.end()
    }
  })
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
  workers: Workers,
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
      const calibration = await learn(workers, job)
      learning()
      return { day, contexts, calibration, horizons }
    }),
  )
  const job = { histories, origins, locationOfPair }
  let done = 0
  const parts = await runRanges(workers, pairs.length, job, backtestRange, (scores, range) => {
    report(`forecasting the past, ${(done += range.to - range.from)} of ${pairs.length} series`)
    return scores
  })
  const sums = sumsOf(
    parts.map(({ scores }) => scores),
    planned.horizons,
  )
  const worst = worstOf(
    parts.flatMap((part) => part.worst),
    pairs,
  )
  return {
    ...planned,
    ...sums,
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
