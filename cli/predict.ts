import { writeFile } from 'node:fs/promises'
import { Command } from 'commander'
import { stringify } from 'csv-stringify/sync'
import { calibrate, type Days, type EpochDay, toDate } from '../engine/index.ts'
import { type HistoryFile, readHistoryFile } from './history-file.ts'
import { readPlanFile } from './plan-file.ts'
import { type ForecastJob, type ForecastLines, forecastRange } from './offline/forecast-job.ts'
import { calibrationSample } from './offline/calibration-sample.ts'
import { reportFailure } from './offline/failure.ts'
import { locationsOf } from './offline/locations.ts'
import { atLeast, dateOption, horizonsOption, returnsOption } from './offline/options.ts'
import { neighbour, overRanges, startWorkers, stopWorkers } from './offline/workers.ts'

interface PredictOptions {
  history: string
  asOf: EpochDay
  horizons: Days[]
  returns: 'refuse' | 'net'
  plan?: string
  out?: string
  workers?: number
  json?: boolean
}

const HEADER = ['sku', 'location', 'horizon', 'p10', 'p50', 'p90', 'confidence', 'drivers']

/** `restock predict`: the engine alone on a file, without server or key. */
export function predictCommand(): Command {
  return new Command('predict')
    .description('Forecast every series of a CSV file, offline.')
    .requiredOption('--history <file>', 'CSV or CSV.GZ with columns sku,location,date,quantity')
    .requiredOption(
      '--as-of <date>',
      'first day to forecast; only rows before it count',
      dateOption,
    )
    .option('--horizons <days>', 'days of 1..90, joined by commas', horizonsOption, [7, 28, 90])
    .option(
      '--returns <how>',
      'negative quantities: refuse, or net against sales',
      returnsOption,
      'refuse',
    )
    .option('--plan <file>', 'CSV of promotions to come, with columns sku,location,date,promo')
    .option('--out <file>', 'write there and not to the terminal')
    .option('--workers <number>', 'cores to use (all)', atLeast(1))
    .option('--json', 'print JSON and not CSV')
    .action(async (options: PredictOptions) => {
      await reportFailure(async () => {
        const text = await predict(options)
        if (options.out) await writeFile(options.out, text)
        else process.stdout.write(text)
      })
    })
}

async function predict(options: PredictOptions): Promise<string> {
  const { history, asOf, horizons, returns, plan, workers, json } = options
  const worker = neighbour(import.meta.url, './offline/forecast-worker')
  const started = await startWorkers(history, worker, workers)
  try {
    const file = await readHistoryFile(history, { before: asOf, returns })
    if (plan !== undefined) file.histories.plan = await readPlanFile(plan, file.pairs, asOf)
    const job = jobOf(file, asOf, horizons)
    const results = await overRanges(started, file.pairs.length, job, forecastRange)
    return json ? toJson(file, asOf, horizons, results) : toCsv(file, horizons, results)
  } finally {
    await stopWorkers(started)
  }
}

function jobOf({ pairs, histories }: HistoryFile, asOf: EpochDay, horizons: Days[]): ForecastJob {
  const { ofPair, contextsAsOf } = locationsOf(pairs, histories)
  const contexts = contextsAsOf(asOf)
  const sample = calibrationSample(histories, asOf, (pair) => contexts[ofPair[pair]!]!)
  const calibration = calibrate(sample, asOf)
  return { histories, asOf, horizons, contexts, locationOfPair: ofPair, calibration }
}

/** The lines of each result, one a pair and horizon, in their order. */
function* linesOf({ pairs }: HistoryFile, horizons: Days[], results: ForecastLines[]) {
  let first = 0
  for (const { quantiles, confidences, drivers } of results) {
    const from = first
    yield confidences.map((confidence, line) => ({
      ...pairs[from + Math.floor(line / horizons.length)]!,
      horizon: horizons[line % horizons.length]!,
      p10: quantiles[3 * line]!,
      p50: quantiles[3 * line + 1]!,
      p90: quantiles[3 * line + 2]!,
      confidence,
      drivers: drivers[line]!,
    }))
    first += confidences.length / horizons.length
  }
}

function toCsv(file: HistoryFile, horizons: Days[], results: ForecastLines[]): string {
  const parts = [stringify([HEADER])]
  for (const lines of linesOf(file, horizons, results))
    parts.push(stringify(lines, { columns: HEADER }))
  return parts.join('')
}

function toJson(file: HistoryFile, asOf: EpochDay, horizons: Days[], results: ForecastLines[]) {
  const data = [...linesOf(file, horizons, results)].flat().map((line) => ({
    sku: line.sku,
    location: line.location,
    horizon_days: line.horizon,
    forecast: { p10: line.p10, p50: line.p50, p90: line.p90 },
    confidence: line.confidence,
    drivers: line.drivers ? line.drivers.split(';') : [],
    as_of: toDate(asOf),
  }))
  return `${JSON.stringify({ data })}\n`
}
