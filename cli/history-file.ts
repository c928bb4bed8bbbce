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
  let promo = -1
  await eachRow(
    path,
    (header) => {
      columns = columnsOf(header, REQUIRED)
      promo = optionalColumn(header, 'promo')
    },
    (cells) => take(cells, columns!, promo),
  )
  const sorted = pairs.sorted()
  return { pairs: sorted.pairs, histories: toHistories(rows.grouped(sorted.rank)) }
}

const REQUIRED = ['sku', 'location', 'date', 'quantity'] as const
type Required = (typeof REQUIRED)[number]

function rowReader(pairs: Pairs, rows: HistoryRows, options: ReadOptions) {
  const { before = Infinity, location: only, returns } = options
  const readDate = dateReader()
  return (cells: string[], columns: Columns<Required>, promo: number) => {
    const sku = cells[columns.sku]!
    const location = cells[columns.location]!
    const day = readDate(cells[columns.date]!)
    const quantity = quantityOf(cells[columns.quantity]!)
    if (sku === '') throw new BadRow('the sku is empty')
    if (location === '') throw new BadRow('the location is empty')
    if (Number.isNaN(day)) throw new BadRow(`no date: ${shown(cells[columns.date]!)}`)
    if (Number.isNaN(quantity)) throw new BadRow(`no quantity: ${shown(cells[columns.quantity]!)}`)
    if (quantity < 0 && returns !== 'net')
      throw new BadRow(`a negative quantity: ${quantity} (--returns net nets it against its sales)`)
    if (day < before && (only === undefined || location === only))
      rows.add(pairs.numberOf(sku, location), day, quantity, promo >= 0 && promoOf(cells[promo]!))
  }
}

const shown = (text: string) => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
