import type { EpochDay } from '../engine/index.ts'
import { type Columns, columnsOf, optionalColumn } from './offline/columns.ts'
import { type Histories, toHistories } from './offline/histories.ts'
import { HistoryRows } from './offline/history-rows.ts'
import { type Pair, Pairs } from './offline/pairs.ts'
import { BadRow, eachRow } from './offline/records.ts'
import { dateReader, promoOf, quantityOf } from './offline/values.ts'

export interface ReadOptions {
  /** Rows on or after it are checked but not kept; absent: all are kept. */
  before?: EpochDay
  /** Only this location's rows are kept; absent: all. */
  location?: string
  /** Negative quantities are refused, or netted against the sales before them. */
  returns?: 'refuse' | 'net'
  /** Whether a column `baseline` is read; it is left alone otherwise. */
  baseline?: boolean
}

/** Every pair with a row that was kept, by sku and location, and their histories in that order. */
export interface HistoryFile {
  pairs: Pair[]
  histories: Histories
}

/**
 * Reads a file of columns `sku,location,date,quantity` and, if it has it, `promo`, as `.csv` or
 * `.csv.gz`: rows and columns in any order, further columns ignored, several rows of a pair and day
 * added up.
 * @throws HistoryError `line N: …` at the first row that is wrong
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
/** Where columns stand that need not be there; -1 where they are not. */
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

/** Whether bytes that are no UTF-8 were read: different names would become the same. */
const isMangled = (name: string) => name.includes('\ufffd')

/** NaN for an empty cell: nothing was forecast for the day. */
function baselineOf(text: string): number {
  if (text.trim() === '') return NaN
  const value = quantityOf(text)
  if (Number.isNaN(value)) throw new BadRow(`no baseline: ${shown(text)}`)
  if (value < 0) throw new BadRow(`a negative baseline: ${value}`)
  return value
}

const shown = (text: string) => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
