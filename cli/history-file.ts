import { basename } from 'node:path'
import { type EpochDay, toDate } from '../engine/index.ts'
import type { DeclaredFormats, Formats } from '../tables/formats.ts'
import { codeFrom, dayReader, numberOf, promoOf } from './offline/cells.ts'
import { type Histories, toHistories } from './offline/histories.ts'
import { type GroupedRows, HistoryRows } from './offline/history-rows.ts'
import { type Pair, Pairs } from './offline/pairs.ts'
import { BadRow, readTable } from './offline/table-file.ts'

export interface ReadOptions {
  /** Rows on or after this day are checked but dropped; absent: all are kept. */
  before?: EpochDay
  /** Only this location's rows are kept; absent: all. */
  location?: string
  /** Negative quantities are refused, or netted against earlier sales. */
  returns?: 'refuse' | 'net'
  /** Whether to read a column `baseline`; otherwise it is ignored. */
  baseline?: boolean
  /** Adds pairs that the file has no rows of. */
  more?: (pairs: Pairs) => void
  /** How dates and numbers are written; found where it is missing. */
  formats?: DeclaredFormats
}

/** All pairs with rows, sorted by SKU and location, and their histories in the same order. */
export interface HistoryFile {
  pairs: Pair[]
  histories: Histories
  /** How the file was understood, where that is worth a look. */
  notes: string[]
}

const REQUIRED = ['sku', 'location', 'date', 'quantity'] as const
/** As a source has it. */
const MAX_UNITS = 1e12
const KINDS = new Map([
  ['date', 'date'],
  ['quantity', 'number'],
  ['baseline', 'number'],
] as const)

/**
 * Reads a file with columns `sku,location,date,quantity` and optionally `promo`. Rows and columns may be in any
 * order, other columns are ignored, rows of the same pair and day are added up.
 * @throws HistoryError `line N: …` at the first invalid row
 */
export async function readHistoryFile(
  path: string,
  options: ReadOptions = {},
): Promise<HistoryFile> {
  const rows = new HistoryRows()
  const pairs = new Pairs()
  const optional = options.baseline ? ['promo', 'baseline'] : ['promo']
  const wanted = { columns: { required: REQUIRED, optional }, kinds: KINDS }
  const declared = options.formats ?? {}
  let first = Infinity
  const seen = (day: EpochDay) => void (first = Math.min(first, day))
  const notes = await readTable(path, { ...wanted, declared }, (columns, formats) =>
    rowReader(pairs, rows, { ...options, seen }, columns, formats),
  )
  if (!pairs.list.length) notes.push(nothingOf(basename(path), first, options))
  options.more?.(pairs)
  const sorted = pairs.sorted()
  const grouped = rows.grouped(sorted.rank)
  if (isDoubled(grouped)) notes.push(doubled(basename(path)))
  return { pairs: sorted.pairs, histories: toHistories(grouped), notes }
}

/** Two sales of a day may well be equal; of so many days no half of the rows is by chance. */
const FEW_ROWS = 20

/** Whether each row has a copy, as where an export was appended to the one before. */
function isDoubled({ starts, count, dayAt, quantityAt }: GroupedRows): boolean {
  if (count < FEW_ROWS || count % 2) return false
  for (let pair = 0; pair < starts.length - 1; pair++) {
    const [from, to] = [starts[pair]!, starts[pair + 1]!]
    if ((to - from) % 2) return false
    for (let at = from; at < to; at += 2)
      if (dayAt(at) !== dayAt(at + 1) || quantityAt(at) !== quantityAt(at + 1)) return false
  }
  return true
}

const doubled = (name: string) =>
  `Every row of ${name} is there twice, and rows of a day are added up: leave the copies out if they are some.`

/** Why no row of a file counts. */
function nothingOf(name: string, first: number, { before, location }: ReadOptions): string {
  if (first === Infinity) return `${name} has no rows.`
  if (before !== undefined && first >= before)
    return `No row of ${name} lies before ${toDate(before)}: the first is of ${toDate(first)}.`
  return `${name} has no rows of ${location}.`
}

function rowReader(
  pairs: Pairs,
  rows: HistoryRows,
  {
    before = Infinity,
    location: only,
    returns,
    seen,
  }: ReadOptions & { seen: (day: EpochDay) => void },
  columns: ReadonlyMap<string, number>,
  formats: Formats,
) {
  const [skus, locations, dates, quantities] = REQUIRED.map((name) => columns.get(name)!) as [
    number,
    number,
    number,
    number,
  ]
  const promos = columns.get('promo')
  const baselines = columns.get('baseline')
  const readDay = dayReader(formats, 'date')
  return (cells: string[]) => {
    const sku = codeFrom('sku', cells[skus]!)
    const location = codeFrom('location', cells[locations]!)
    const day = readDay(cells[dates]!)
    const quantity = numberOf(formats, 'quantity', cells[quantities]!)
    if (sku === '') throw new BadRow('the sku is empty')
    if (location === '') throw new BadRow('the location is empty')
    if (Math.abs(quantity) > MAX_UNITS)
      throw new BadRow(`the quantity ${quantity} is above ${MAX_UNITS}`)
    if (quantity < 0 && returns !== 'net')
      throw new BadRow(`a negative quantity: ${quantity} (--returns net nets it against its sales)`)
    const promoted = promos !== undefined && promoOf(cells[promos]!)
    const forecast = baselines === undefined ? NaN : baselineOf(formats, cells[baselines]!)
    seen(day)
    if (day < before && (only === undefined || location === only))
      rows.add(pairs.numberOf(sku, location), day, quantity, promoted, forecast)
  }
}

/** NaN for an empty cell, i.e. no forecast for the day. */
function baselineOf(formats: Formats, text: string): number {
  if (text.trim() === '') return NaN
  const value = numberOf(formats, 'baseline', text)
  if (value < 0) throw new BadRow(`a negative baseline: ${value}`)
  return value
}
