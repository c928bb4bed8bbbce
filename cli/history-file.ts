import type { EpochDay } from '../engine/index.ts'
import { type Columns, columnsOf, optionalColumn } from './offline/columns.ts'
import { type Histories, toHistories } from './offline/histories.ts'
import { HistoryRows } from './offline/history-rows.ts'
import { type Pair, Pairs } from './offline/pairs.ts'
import { BadRow, eachRow } from './offline/records.ts'
import { dateReader, promoOf, quantityOf } from './offline/values.ts'

export interface ReadOptions {
  /** Rows on or after this day are checked but dropped; absent: all are kept. */
  before?: EpochDay
  /** Only this location's rows are kept; absent: all. */
  location?: string
  /** Negative quantities are refused, or netted against earlier sales. */
  returns?: 'refuse' | 'net'
  /** Whether to read a column `baseline`; otherwise it is ignored. */
  baseline?: boolean
}

/** All pairs with rows, sorted by SKU and location, and their histories in the same order. */
export interface HistoryFile {
  pairs: Pair[]
  histories: Histories
}

/**
 * Reads a `.csv` or `.csv.gz` file with columns `sku,location,date,quantity` and optionally `promo`. Rows
 * and columns may be in any order, other columns are ignored, rows of the same pair and day are added up.
 * @throws HistoryError `line N: …` at the first invalid row
 */
export async function readHistoryFile(
  path: string,
  options: ReadOptions = {},
): Promise<HistoryFile> {
  const rows = new HistoryRows()
  const pairs = new Pairs()
  const take = rowReader(pairs, rows, options)
  let columns: Columns<Required> | undefined
  const optional = { promo: -1, baseline: -1 }
  await eachRow(
    path,
    (header) => {
      columns = columnsOf(header, REQUIRED)
      optional.promo = optionalColumn(header, 'promo')
      if (options.baseline) optional.baseline = optionalColumn(header, 'baseline')
    },
    (cells) => take(cells, columns!, optional),
  )
  const sorted = pairs.sorted()
  return { pairs: sorted.pairs, histories: toHistories(rows.grouped(sorted.rank)) }
}

const REQUIRED = ['sku', 'location', 'date', 'quantity'] as const
type Required = (typeof REQUIRED)[number]
/** Indices of optional columns; -1 if missing. */
type Optional = Record<'promo' | 'baseline', number>

function rowReader(pairs: Pairs, rows: HistoryRows, options: ReadOptions) {
  const { before = Infinity, location: only, returns } = options
  const readDate = dateReader()
  return (cells: string[], columns: Columns<Required>, { promo, baseline }: Optional) => {
    const sku = cells[columns.sku]!
    const location = cells[columns.location]!
    const day = readDate(cells[columns.date]!)
    const quantity = quantityOf(cells[columns.quantity]!)
    if (sku === '') throw new BadRow('the sku is empty')
    if (location === '') throw new BadRow('the location is empty')
    if (isMangled(sku) || isMangled(location))
      throw new BadRow('not UTF-8 text; save the file as UTF-8')
    if (Number.isNaN(day)) throw new BadRow(`no date: ${shown(cells[columns.date]!)}`)
    if (Number.isNaN(quantity)) throw new BadRow(`no quantity: ${shown(cells[columns.quantity]!)}`)
    if (quantity < 0 && returns !== 'net')
      throw new BadRow(`a negative quantity: ${quantity} (--returns net nets it against its sales)`)
    const promoted = promo >= 0 && promoOf(cells[promo]!)
    const forecast = baseline >= 0 ? baselineOf(cells[baseline]!) : NaN
    if (day < before && (only === undefined || location === only))
      rows.add(pairs.numberOf(sku, location), day, quantity, promoted, forecast)
  }
}

/** Whether the text had invalid UTF-8, which would make different names equal. */
const isMangled = (name: string) => name.includes('\ufffd')

/** NaN for an empty cell, i.e. no forecast for the day. */
function baselineOf(text: string): number {
  if (text.trim() === '') return NaN
  const value = quantityOf(text)
  if (Number.isNaN(value)) throw new BadRow(`no baseline: ${shown(text)}`)
  if (value < 0) throw new BadRow(`a negative baseline: ${value}`)
  return value
}

const shown = (text: string) => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
