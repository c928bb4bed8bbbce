import { stat, writeFile } from 'node:fs/promises'
import { Command } from 'commander'
import { stringify } from 'csv-stringify/sync'
import {
  type Booking,
  type Days,
  describeBookings,
  type EpochDay,
  type HolidaysAt,
  toDate,
} from '../engine/index.ts'
import { WrongUsage } from './errors.ts'
import { type HistoryFile, readHistoryFile } from './history-file.ts'
import { note } from './output.ts'
import { toSafeText } from './text.ts'
import { readPlanFile } from './plan-file.ts'
import { readSuccessors } from './successors-file.ts'
import type { Pairs } from './offline/pairs.ts'
import type { DateFormat } from '../tables/dates.ts'
import type { DecimalSign } from '../tables/numbers.ts'
import type { Country } from '../holidays/public-holidays.ts'
import { type ForecastJob, type ForecastLines, forecastRange } from './offline/forecast-job.ts'
import { reportFailure } from './offline/failure.ts'
import { learn } from './offline/learn-job.ts'
import { COUNTRY, countryOption, holidaysFor } from './offline/holidays.ts'
import { locationsOf } from './offline/locations.ts'
import {
  atLeast,
  bookingOption,
  dateOption,
  formatOptions,
  HISTORY,
  horizonsOption,
  returnsOption,
} from './offline/options.ts'
import { withFiles } from './offline/standard-input.ts'
import {
  neighbour,
  runRanges,
  type Range,
  startWorkers,
  stopWorkers,
  type Workers,
} from './offline/workers.ts'

interface PredictOptions {
  history: string
  asOf: EpochDay
  horizons: Days[]
  returns: 'refuse' | 'net'
  booking?: Booking
  plan?: string
  successors?: string[]
  country?: Country
  dateFormat?: DateFormat
  decimal?: DecimalSign
  out?: string
  workers?: number
  json?: boolean
}

const HEADER = ['sku', 'location', 'horizon', 'p10', 'p50', 'p90', 'confidence', 'drivers']
const HEAD = `${HEADER.join()}\n`

/** `restock predict`: forecasts a file without a server or a key. */
export function predictCommand(): Command {
  const command = new Command('predict')
    .description('Forecast every series of a file, offline.')
    .requiredOption('--history <file>', HISTORY)
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
    .option(
      '--booking <rhythm>',
      'how demand is booked: daily, weekly or monthly (found from the file)',
      bookingOption,
    )
    .option('--plan <file>', 'what is planned, with columns sku,location,from,to,kind,factor')
    .option(
      '--successors <file>',
      'which SKU follows which, with columns sku,phase_out_on,successor (may be given twice)',
      (path: string, before: string[] = []) => [...before, path],
    )
    .option('--country <code>', COUNTRY, countryOption)
    .option('--out <file>', 'write to this file, not to the terminal')
    .option('--workers <number>', 'cores to use (all)', atLeast(1))
    .option('--json', 'print JSON instead of CSV')
    .action(async (options: PredictOptions) => {
      await reportFailure(async () => {
        await assertApart(options)
        const { history, plan, successors = [] } = options
        const parts = await withFiles([history, plan, ...successors], (history, plan, ...more) =>
          predict({ ...options, history: history!, plan, successors: more.map((path) => path!) }),
        )
        if (options.out) await writeFile(options.out, parts)
        else for (const part of parts) process.stdout.write(part)
      })
    })
  for (const option of formatOptions()) command.addOption(option)
  return command
}

/** @throws WrongUsage where `--out` would overwrite an input file */
async function assertApart({ out, history, plan, successors = [] }: PredictOptions) {
  const there = out ? await stat(out).catch(() => null) : null
  if (!there?.isFile()) return
  for (const file of [history, plan ?? history, ...successors]) {
    if (file === '-') continue
    const { dev, ino } = await stat(file)
    if (dev === there.dev && ino === there.ino)
      throw new WrongUsage(`--out would overwrite ${file}.`)
  }
}

/** The text of the result, in parts. */
async function predict(options: PredictOptions): Promise<string[]> {
  const { history, asOf, horizons, returns, booking, plan, workers, json } = options
  const formats = { date_format: options.dateFormat, decimal: options.decimal }
  const holidaysAt = await holidaysFor(options.country, [asOf])
  const worker = neighbour(import.meta.url, './offline/forecast-worker')
  const started = await startWorkers(history, worker, workers)
  try {
    const successors = await readSuccessors(options.successors ?? [], formats)
    const more = (pairs: Pairs) => {
      for (const sku of successors.addHeirs(pairs, asOf))
        note(`${toSafeText(sku)} follows another SKU, and is named nowhere else: it is left out.`)
    }
    const file = await readHistoryFile(history, { before: asOf, returns, formats, more })
    file.notes.forEach(note)
    if (plan !== undefined)
      file.histories.plans = await readPlanFile(plan, file.pairs, [asOf], formats)
    const job = await jobOf(started, file, { asOf, horizons, booking, holidaysAt })
    const inheritances = successors.inheritances(file.pairs, asOf)
    if (inheritances.size) job.inheritances = inheritances
    const texts = await runRanges(started, file.pairs.length, job, forecastRange, (lines, range) =>
      json
        ? toJson(job, linesOf(file, job, lines, range))
        : toCsv(linesOf(file, job, lines, range)),
    )
    return json ? jsonOf(texts) : [HEAD, ...texts]
  } finally {
    await stopWorkers(started)
  }
}

type JobOptions = Pick<PredictOptions, 'asOf' | 'horizons' | 'booking'> & {
  holidaysAt: HolidaysAt | undefined
}

async function jobOf(
  started: Workers,
  { pairs, histories }: HistoryFile,
  { asOf, horizons, ...said }: JobOptions,
): Promise<ForecastJob> {
  const {
    names,
    ofPair: locationOfPair,
    sample,
    contextsAsOf,
  } = locationsOf(pairs, histories, said)
  const contexts = contextsAsOf(asOf)
  for (const { text } of describeBookings(contexts.map((context, i) => [names[i]!, context])))
    note(toSafeText(text))
  const known = { histories, asOf, contexts, locationOfPair }
  return { ...known, horizons, calibration: await learn(started, { ...known, sample }) }
}

/** The lines of some pairs, one per pair and horizon. */
const linesOf = (
  { pairs }: HistoryFile,
  { horizons }: ForecastJob,
  { quantiles, confidences, drivers }: ForecastLines,
  { from }: Range,
) =>
  confidences.map((confidence, line) => ({
    ...pairs[from + Math.floor(line / horizons.length)]!,
    horizon: horizons[line % horizons.length]!,
    p10: quantiles[3 * line]!,
    p50: quantiles[3 * line + 1]!,
    p90: quantiles[3 * line + 2]!,
    confidence,
    drivers: drivers[line]!,
  }))
type Lines = ReturnType<typeof linesOf>

const toCsv = (lines: Lines): string => stringify(lines, { columns: HEADER })

const jsonOf = (elements: string[]) => [
  '{"data":[',
  ...elements.filter(Boolean).map((each, i) => (i ? `,${each}` : each)),
  ']}\n',
]

/** The elements of a JSON array without its brackets. */
function toJson({ asOf }: ForecastJob, lines: Lines): string {
  const data = lines.map((line) => ({
    sku: line.sku,
    location: line.location,
    horizon_days: line.horizon,
    forecast: { p10: line.p10, p50: line.p50, p90: line.p90 },
    confidence: line.confidence,
    drivers: line.drivers ? line.drivers.split(';') : [],
    as_of: toDate(asOf),
  }))
  return JSON.stringify(data).slice(1, -1)
}
