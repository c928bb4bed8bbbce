import { access, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { EpochDay } from '../../engine/index.ts'
import type { DateFormat } from '../../tables/dates.ts'
import type { DecimalSign } from '../../tables/numbers.ts'
import type { Country } from '../../holidays/public-holidays.ts'
import { openClient } from '../client.ts'
import { command, type Json, numberLike, option, textLike, wholeNumber } from '../command.ts'
import { WrongUsage } from '../errors.ts'
import { reportFailure } from '../offline/failure.ts'
import { holidaysFor } from '../offline/holidays.ts'
import { COUNT, COUNTRY, dayFrom, FORMATS, WORKERS } from '../offline/options.ts'
import { withThreads } from '../offline/workers.ts'
import { createStepReport, print, printDocument } from '../output.ts'
import { reportOf } from './figures.ts'
import { pilotPage } from './page.ts'
import type { Past } from './past.ts'
import { readFolder } from './read-folder.ts'
import { readSource } from './read-source.ts'
import { replayPast } from './replay.ts'
import { type Language, LANGUAGES, Words } from './texts.ts'
import { linesOfReport } from './words.ts'
import { pilotWorkbook } from './workbook.ts'

interface Options extends Json {
  files?: string
  asOf?: EpochDay
  since?: EpochDay
  weeks: number
  stockoutCost: number
  carryingCost: number
  unmetDemand: 'backordered' | 'lost'
  orderLineCost: number
  orderCost: number
  reviewPeriod: number
  page?: string
  workbook?: string
  language: Language
  workers?: number
  country?: Country
  dateFormat?: DateFormat
  decimal?: DecimalSign
}

const AMOUNT = numberLike(/^\d{1,6}(\.\d{1,6})?$/, 'a number of 0 or more')

/** `restock pilot` */
export const pilotCommand = () =>
  command({
    name: 'pilot',
    summary:
      'Replay the past year week by week: what stock, stockouts and costs would have been with every proposal, beside what they were.',
    examples: [
      'pilot --files data/north --page pilot.html --workbook pilot.xlsx',
      'pilot src_1 --page pilot.html',
      'pilot src_1 --since 2026-09-01',
    ],
    args: { '[source]': 'a connection, such as src_1; or name a folder by --files' },
    options: [
      option(
        '--files <folder>',
        'a folder with demand.csv and, as a csv source has them, stock_history, stock, receipts, open_orders, planning, items, supplier_terms',
      ),
      option(
        '--as-of <date>',
        'of files: only rows before it count (the day after the last row of demand)',
        dayFrom,
      ),
      option(
        '--since <date>',
        'replay from this day on, such as that of the first proposals',
        dayFrom,
      ),
      option('--weeks <number>', 'weeks to replay at most', wholeNumber(8, 104), 52),
      option(
        '--stockout-cost <share>',
        'of files: cost of a unit short, as a share of its unit cost',
        AMOUNT,
        0.4,
      ),
      option(
        '--carrying-cost <share>',
        'of files: cost of a unit kept for a year, as a share of its unit cost',
        AMOUNT,
        0.25,
      ),
      option(
        '--unmet-demand <what>',
        'of files: whether demand that finds no stock is backordered or lost',
        ['backordered', 'lost'],
        'backordered' as never,
      ),
      option('--order-line-cost <amount>', 'of files: cost of an order line', AMOUNT, 0),
      option(
        '--order-cost <amount>',
        'of files: cost of an order, whatever its lines, where supplier_terms names none',
        AMOUNT,
        0,
      ),
      option(
        '--review-period <days>',
        'of files: days between order decisions where planning.csv names none',
        COUNT,
        7,
      ),
      option(
        '--page <file>',
        'write a page to show and to print',
        textLike(/.\.html$/i, 'a file that ends in .html'),
      ),
      option(
        '--workbook <file>',
        'write a workbook with every figure and pair',
        textLike(/.\.xlsx$/i, 'a file that ends in .xlsx'),
      ),
      option('--language <code>', 'of the report, en or de', LANGUAGES, 'en' as never),
      COUNTRY,
      WORKERS,
      ...FORMATS,
      option('--json', 'print every figure as JSON'),
    ],
    run: (options: Options, source?: string) => reportFailure(() => pilot(options, source)),
  })

async function pilot(options: Options, source?: string): Promise<void> {
  const { files, page, workbook, workers, json } = options
  if ((source === undefined) === (files === undefined))
    throw new WrongUsage('Name a connection, such as src_1, or a folder by --files.')
  for (const file of [page, workbook]) if (file) await access(dirname(file))
  const report = createStepReport(process.stderr)
  try {
    report('reading the past')
    const past =
      source === undefined
        ? await readFiles(options)
        : await readSource(openClient(), source, report)
    const holidaysAt = await holidaysFor(options.country, [past.end - 7 * options.weeks, past.end])
    const found = await withThreads(workers, past.pairs.length, async (threads) =>
      reportOf(past, await replayPast(past, { ...options, holidaysAt }, threads, report)),
    )
    const words = new Words(options.language)
    if (page) await writeFile(page, pilotPage(words, found))
    if (workbook) await writeFile(workbook, pilotWorkbook(words, found))
    report.end()
    if (json) {
      const notes = found.notes.map((note) => words.note(note))
      printDocument(JSON.stringify({ ...found, notes }))
    } else print(...linesOfReport(words, found))
  } finally {
    report.end()
  }
}

function readFiles(options: Options): Promise<Past> {
  const { files, asOf, dateFormat, decimal } = options
  const { stockoutCost, carryingCost, unmetDemand, orderLineCost, orderCost } = options
  return readFolder({
    folder: files!,
    asOf,
    formats: { date_format: dateFormat, decimal },
    assumed: {
      stockoutCost,
      carryingCost,
      unmetDemand,
      orderLineCost,
      orderCost,
      reviewPeriodDays: options.reviewPeriod,
    },
  })
}
