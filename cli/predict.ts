import { stat, writeFile } from 'node:fs/promises'
import { stringify } from 'csv-stringify/sync'
import { describeBookings, toDate } from '../engine/index.ts'
import type { Days, EpochDay, HolidaysAt } from '../engine/index.ts'
import { command, mandatory, option } from './command.ts'
import { WrongUsage } from './errors.ts'
import { type HistoryFile, readHistoryFile } from './history-file.ts'
import { type ForecastJob, type ForecastLines, forecastRange } from './offline/forecast-job.ts'
import { reportFailure } from './offline/failure.ts'
import { holidaysFor } from './offline/holidays.ts'
import { learn } from './offline/learn-job.ts'
import { locationsOf } from './offline/locations.ts'
import {
  COUNTRY,
  dayFrom,
  DEMAND,
  FORMATS,
  HISTORY,
  horizonsFrom,
  type OfflineOptions,
  WORKERS,
} from './offline/options.ts'
import type { Pairs } from './offline/pairs.ts'
import { withFiles } from './offline/standard-input.ts'
import { type Range, runRanges, withWorkers, type Workers } from './offline/workers.ts'
import { note } from './output.ts'
import { readPlanFile } from './plan-file.ts'
import { readSuccessors } from './successors-file.ts'

interface PredictOptions extends OfflineOptions {
  asOf: EpochDay
  horizons: Days[]
  successors?: string[]
  out?: string
}

const HEADER = ['sku', 'location', 'horizon', 'p10', 'p50', 'p90', 'confidence', 'drivers']
const HEAD = `${HEADER.join()}\n`

/** `restock predict`: forecasts a file without a server or a key. */
export const predictCommand = () =>
  command({
    name: 'predict',
    summary: 'Forecast every series of a file, offline.',
    examples: [
      'predict --history sales.csv --as-of 2026-11-20 --horizons 7,28,90',
      'predict --history sales.csv.gz --as-of 2026-11-20 --returns net --out forecast.csv',
    ],
    options: [
      HISTORY,
      mandatory('--as-of <date>', 'first day to forecast; only rows before it count', dayFrom),
      option('--horizons <days>', 'days of 1..90, joined by commas', horizonsFrom, [7, 28, 90]),
      ...DEMAND,
      option(
        '--successors <file>',
        'which SKU follows which, with columns sku,phase_out_on,successor (may be given twice)',
        (path: string, before: string[] = []) => [...before, path],
      ),
      COUNTRY,
      option('--out <file>', 'write to this file, not to the terminal'),
      WORKERS,
      option('--json', 'print JSON instead of CSV'),
      ...FORMATS,
    ],
    run: (options: PredictOptions) => reportFailure(() => predict(options)),
  })

async function predict(options: PredictOptions): Promise<void> {
  await assertApart(options)
  const { history, plan, successors = [], out } = options
  const parts = await withFiles([history, plan, ...successors], (history, plan, ...more) =>
    partsOf({ ...options, history: history!, plan, successors: more.map((path) => path!) }),
  )
  if (out) await writeFile(out, parts)
  else for (const part of parts) process.stdout.write(part)
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
async function partsOf(options: PredictOptions): Promise<string[]> {
  const { history, asOf, horizons, returns, booking, plan, workers, json } = options
  const formats = { date_format: options.dateFormat, decimal: options.decimal }
  const holidaysAt = await holidaysFor(options.country, [asOf])
  return withWorkers(history, workers, async (threads) => {
    const successors = await readSuccessors(options.successors ?? [], formats)
    const more = (pairs: Pairs) => successors.addHeirs(pairs, asOf).forEach(note)
    const file = await readHistoryFile(history, { before: asOf, returns, formats, more })
    file.notes.forEach(note)
    if (plan !== undefined)
      file.histories.plans = await readPlanFile(plan, file.pairs, [asOf], formats)
    const job = await jobOf(threads, file, { asOf, horizons, booking, holidaysAt })
    const inheritances = successors.inheritances(file.pairs, asOf)
    if (inheritances.size) job.inheritances = inheritances
    const endings = successors.endings(file.pairs)
    if (endings.size) job.endings = endings
    const textOf = json ? toJson : toCsv
    const texts = await runRanges(threads, file.pairs.length, job, forecastRange, (lines, range) =>
      textOf(linesOf(file, job, lines, range), job),
    )
    return json ? jsonOf(texts) : [HEAD, ...texts]
  })
}

type JobOptions = Pick<PredictOptions, 'asOf' | 'horizons' | 'booking'> & {
  holidaysAt: HolidaysAt | undefined
}

async function jobOf(
  workers: Workers,
  { pairs, histories }: HistoryFile,
  { asOf, horizons, ...said }: JobOptions,
): Promise<ForecastJob> {
  const { names, ofPair, sample, contextsAsOf } = locationsOf(pairs, histories, said)
  const contexts = contextsAsOf(asOf)
  for (const { text } of describeBookings(contexts.map((context, i) => [names[i]!, context])))
    note(text)
  const known = { histories, asOf, contexts, locationOfPair: ofPair }
  return { ...known, horizons, calibration: await learn(workers, { ...known, sample }) }
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
function toJson(lines: Lines, { asOf }: ForecastJob): string {
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
