// Reads a company's own files, named and laid out as those of a csv source.
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { type EpochDay, toDate } from '../../engine/index.ts'
import type { SupplierLimits } from '../../engine/proposal/index.ts'
import { FAULT_OF_FLAG, flagOf } from '../../tables/flags.ts'
import type { DeclaredFormats, Formats } from '../../tables/formats.ts'
import { readHistoryFile } from '../history-file.ts'
import { codeFrom, dayReader, numberOf } from '../offline/cells.ts'
import { HistoryError } from '../offline/failure.ts'
import type { Pair } from '../offline/pairs.ts'
import { BadRow, readTable } from '../offline/table-file.ts'
import {
  type OrderLine,
  type Past,
  type PastPair,
  StockLevels,
  supplierOrderOf,
  toOrderLines,
} from './past.ts'
import type { Note } from './texts.ts'

/** What the files do not say. */
export interface Assumed {
  stockoutCost: number
  carryingCost: number
  unmetDemand: 'backordered' | 'lost'
  reviewPeriodDays: number
  orderLineCost: number
  orderCost: number
}

interface Reading {
  folder: string
  asOf?: EpochDay | undefined
  formats: DeclaredFormats
  assumed: Assumed
}

/** @throws HistoryError naming file and line where one cannot be read */
export async function readFolder(reading: Reading): Promise<Past> {
  const { folder, asOf, formats } = reading
  const demand = await fileOf(folder, 'demand')
  if (!demand)
    throw new HistoryError(
      `${folder} has no demand.csv, demand.csv.gz or demand.xlsx: it is what is replayed`,
    )
  const found = await named('demand', () =>
    readHistoryFile(demand, {
      returns: 'net',
      formats,
      ...(asOf !== undefined && { before: asOf }),
    }),
  )
  const { histories } = found
  const numbers = new Map(found.pairs.map((pair, number) => [keyOf(pair), number]))
  const end = histories.days.reduce((last, day) => Math.max(last, day), -1) + 1
  const files = new Files(reading, numbers, [...found.notes])
  const pairs = await readTerms(files, found.pairs)
  const { levels, seen } = await readStock(files, found.pairs, end)
  const { lines, hasReceipts } = await readOrders(files, end)
  files.tellUnknown()
  return {
    ...{ pairs, histories, levels, seen, hasReceipts, end },
    lines: toOrderLines(pairs.length, lines),
    notes: files.notes,
  }
}

const keyOf = ({ sku, location }: Pair) => JSON.stringify([sku, location])

const EXTENSIONS = ['.csv', '.csv.gz', '.xlsx']

async function fileOf(folder: string, stem: string): Promise<string | null> {
  for (const extension of EXTENSIONS) {
    const path = join(folder, stem + extension)
    const isThere = await access(path).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  return null
}

async function named<T>(stem: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof HistoryError && error.message.startsWith('line '))
      throw new HistoryError(`${stem}: ${error.message}`)
    throw error
  }
}

/** The cells of a row by their columns; empty where the file has none. */
class Cells {
  readonly #columns: ReadonlyMap<string, number>
  readonly #formats: Formats
  readonly #dayOf = new Map<string, (cell: string) => EpochDay>()
  row: string[] = []

  constructor(columns: ReadonlyMap<string, number>, formats: Formats) {
    this.#columns = columns
    this.#formats = formats
  }

  text = (name: string): string => codeFrom(name, this.row[this.#columns.get(name) ?? -1] ?? '')

  code(name: string): string {
    const text = this.text(name)
    if (!text) throw new BadRow(`the ${name} is empty`)
    return text
  }

  number(name: string): number | null {
    const cell = this.row[this.#columns.get(name) ?? -1] ?? ''
    if (!cell.trim()) return null
    const value = numberOf(this.#formats, name, cell)
    if (value < 0 && name !== 'quantity' && name !== 'on_hand')
      throw new BadRow(`a negative ${name}: ${value}`)
    return value
  }

  /** An empty cell says no. */
  flag(name: string): boolean {
    const cell = (this.row[this.#columns.get(name) ?? -1] ?? '').trim()
    const flag = cell ? flagOf(cell) : false
    if (flag === undefined) throw new BadRow(`${name} ${cell} ${FAULT_OF_FLAG}`)
    return flag
  }

  day(name: string): EpochDay | null {
    const cell = this.row[this.#columns.get(name) ?? -1] ?? ''
    if (!cell.trim()) return null
    let dayOf = this.#dayOf.get(name)
    if (!dayOf) this.#dayOf.set(name, (dayOf = dayReader(this.#formats, name)))
    return dayOf(cell)
  }
}

interface Columns {
  required: string[]
  optional?: string[]
  numbers?: string[]
  days?: string[]
}

/** The files beside that of demand. */
class Files {
  readonly #reading: Reading
  readonly #numbers: ReadonlyMap<string, number>
  readonly #unknown = new Map<string, Set<string>>()
  readonly notes: Note[]

  constructor(reading: Reading, numbers: ReadonlyMap<string, number>, notes: Note[]) {
    this.#reading = reading
    this.#numbers = numbers
    this.notes = notes
  }

  get assumed(): Assumed {
    return this.#reading.assumed
  }

  /** @returns whether there is such a file */
  async read(stem: string, columns: Columns, take: (cells: Cells) => void): Promise<boolean> {
    const path = await fileOf(this.#reading.folder, stem)
    if (!path) return false
    const { required, optional = [], numbers = [], days = [] } = columns
    const kinds = new Map([
      ...numbers.map((name) => [name, 'number'] as const),
      ...days.map((name) => [name, 'date'] as const),
    ])
    const wanted = { columns: { required, optional }, kinds, declared: this.#reading.formats }
    const notes = await named(stem, () =>
      readTable(path, wanted, (at, formats) => {
        const cells = new Cells(at, formats)
        return (row) => {
          cells.row = row
          take(cells)
        }
      }),
    )
    this.notes.push(...notes)
    return true
  }

  /** The number of a row's pair; null for one without demand. */
  pairOf(stem: string, cells: Cells): number | null {
    const key = keyOf({ sku: cells.code('sku'), location: cells.code('location') })
    const number = this.#numbers.get(key)
    if (number !== undefined) return number
    const unknown = this.#unknown.get(stem) ?? new Set<string>()
    this.#unknown.set(stem, unknown.add(key))
    return null
  }

  tellUnknown() {
    for (const [stem, { size }] of this.#unknown)
      this.notes.push({ text: 'note_unknown', args: { file: stem, pairs: size } })
  }
}

const ITEM_NUMBERS = ['unit_cost']
const PLANNING_NUMBERS = ['lead_time_days', 'review_period_days', 'moq', 'lot_size', 'unit_cost']

/** What a row of items or planning says. */
interface Said {
  group: string
  supplier: string
  unitCost: number | null
  currency: string
  leadTimeDays: number | null
  reviewPeriodDays: number | null
  moq: number | null
  lotSize: number | null
}

async function readTerms(files: Files, pairs: Pair[]): Promise<PastPair[]> {
  const said = (cells: Cells): Said => ({
    group: cells.text('group'),
    supplier: cells.text('supplier'),
    currency: cells.text('currency').toUpperCase(),
    unitCost: cells.number('unit_cost'),
    leadTimeDays: cells.number('lead_time_days'),
    reviewPeriodDays: cells.number('review_period_days'),
    moq: cells.number('moq'),
    lotSize: cells.number('lot_size'),
  })
  const items = new Map<string, Said>()
  await files.read(
    'items',
    {
      required: ['sku'],
      optional: ['group', 'supplier', 'currency', ...ITEM_NUMBERS],
      numbers: ITEM_NUMBERS,
    },
    (cells) => items.set(cells.code('sku'), said(cells)),
  )
  const planning = new Map<number, Said>()
  const hasPlanning = await files.read(
    'planning',
    {
      required: ['sku', 'location', 'lead_time_days'],
      optional: ['supplier', 'currency', ...PLANNING_NUMBERS],
      numbers: PLANNING_NUMBERS,
    },
    (cells) => {
      const pair = files.pairOf('planning', cells)
      if (pair !== null) planning.set(pair, said(cells))
    },
  )
  if (!hasPlanning) files.notes.push({ text: 'note_no_planning' })
  const orders = await readSupplierOrders(files)
  return pairs.map((pair, number) => {
    const terms = termsOf(files.assumed, pair, planning.get(number), items.get(pair.sku))
    return { ...terms, supplierOrder: orders(terms) }
  })
}

/** As shipped, a supplier's order raises no line above so many days of demand beyond its target stock. */
const COVER_DAYS = 28

type Asked = Pick<SupplierLimits, 'minimumValue' | 'minimumQuantity' | 'orderCost'>

/** What suppliers ask of a whole order: a location's own terms win, and make an order of it by itself. */
async function readSupplierOrders(files: Files) {
  const found = new Map<string, { asked: Asked; isByLocation: boolean }>()
  const numbers = ['minimum_order_value', 'minimum_order_quantity', 'order_cost']
  const columns = {
    required: ['supplier'],
    optional: ['location', 'orders_by_location', ...numbers],
    numbers,
  }
  await files.read('supplier_terms', columns, (cells) => {
    const key = keyOf({ sku: cells.code('supplier'), location: cells.text('location') })
    const asked = {
      minimumValue: cells.number('minimum_order_value'),
      minimumQuantity: cells.number('minimum_order_quantity'),
      orderCost: cells.number('order_cost'),
    }
    found.set(key, { asked, isByLocation: cells.flag('orders_by_location') })
  })
  return ({ planning, location }: Omit<PastPair, 'supplierOrder'>): PastPair['supplierOrder'] => {
    const { supplier } = planning
    if (!supplier) return null
    const of = (place: string) => found.get(keyOf({ sku: supplier, location: place }))
    const [own, common] = [of(location), of('')]
    const first = <Name extends keyof Asked>(name: Name) =>
      own?.asked[name] ?? common?.asked[name] ?? null
    const isOwn = (own && asksAnything(own.asked)) || common?.isByLocation
    return supplierOrderOf(isOwn ? location : '', {
      ...{ minimumValue: first('minimumValue'), minimumQuantity: first('minimumQuantity') },
      orderCost: first('orderCost') ?? files.assumed.orderCost,
      coverDays: COVER_DAYS,
    })
  }
}

const asksAnything = (asked: Asked) => Object.values(asked).some((each) => each !== null)

function termsOf(
  assumed: Assumed,
  pair: Pair,
  own: Said | undefined,
  item: Said | undefined,
): Omit<PastPair, 'supplierOrder'> {
  const { stockoutCost, carryingCost, unmetDemand, orderLineCost } = assumed
  const costs = { stockoutRate: stockoutCost, carryingRate: carryingCost, unmetDemand }
  const priced = own?.unitCost != null ? own : item
  return {
    ...pair,
    group: item?.group || null,
    unitCost: priced?.unitCost ?? null,
    currency: priced?.currency || null,
    planning: {
      leadTimeDays: own?.leadTimeDays ?? null,
      reviewPeriodDays: own?.reviewPeriodDays || assumed.reviewPeriodDays,
      moq: own?.moq ?? null,
      lotSize: own?.lotSize ?? null,
      supplier: own?.supplier || item?.supplier || null,
      unitCost: priced?.unitCost ?? null,
    },
    policy: { target: costs, orderLineCost },
    costs,
  }
}

async function readStock(
  files: Files,
  pairs: Pair[],
  end: EpochDay,
): Promise<Pick<Past, 'levels' | 'seen'>> {
  const stock = new StockLevels()
  const named = new Set<number>()
  const columns = { required: ['sku', 'location', 'on_hand'], numbers: ['on_hand'] }
  const hasHistory = await files.read(
    'stock_history',
    { ...columns, required: ['sku', 'location', 'date', 'on_hand'], days: ['date'] },
    (cells) => {
      const pair = files.pairOf('stock_history', cells)
      const day = cells.day('date')
      if (day === null) throw new BadRow('the date is empty')
      if (pair === null || day >= end) return
      stock.add(pair, day, cells.number('on_hand') ?? 0)
      stock.see(pairs[pair]!.location, day)
      if (day === end - 1) named.add(pair)
    },
  )
  const hasStock = await files.read('stock', columns, (cells) => {
    const pair = files.pairOf('stock', cells)
    if (pair !== null && !named.has(pair)) stock.add(pair, end - 1, cells.number('on_hand') ?? 0)
  })
  if (!hasHistory) files.notes.push({ text: hasStock ? 'note_counted_back' : 'note_no_stock' })
  return stock.done(pairs.length)
}

async function readOrders(files: Files, end: EpochDay) {
  const lines: OrderLine[] = []
  const dates = ['ordered_on', 'received_on']
  const take = (stem: string) => (cells: Cells) => {
    const pair = files.pairOf(stem, cells)
    const received = stem === 'receipts' ? cells.day('received_on') : null
    if (stem === 'receipts' && received === null) throw new BadRow('the received_on is empty')
    const ordered = cells.day('ordered_on')
    const quantity = cells.number('quantity')
    if (quantity === null) throw new BadRow('the quantity is empty')
    if (pair === null || (received ?? 0) >= end || (ordered ?? 0) >= end) return
    lines.push({ pair, ordered, received, quantity, document: cells.code('order') })
  }
  const order = ['order', 'line', 'sku', 'location', 'quantity']
  const hasReceipts = await files.read(
    'receipts',
    {
      required: [...order, 'received_on'],
      optional: ['ordered_on'],
      numbers: ['quantity'],
      days: dates,
    },
    take('receipts'),
  )
  const first = lines.reduce((day, { received }) => Math.min(day, received ?? Infinity), Infinity)
  if (!hasReceipts || first === Infinity) files.notes.push({ text: 'note_no_receipts' })
  else if (lines.every(({ ordered }) => ordered === null))
    files.notes.push({ text: 'note_no_order_days' })
  await files.read(
    'open_orders',
    { required: order, optional: ['ordered_on'], numbers: ['quantity'], days: ['ordered_on'] },
    take('open_orders'),
  )
  if (first !== Infinity)
    files.notes.push({ text: 'note_receipts_from', args: { day: toDate(first) } })
  return { lines, hasReceipts: hasReceipts && first !== Infinity }
}
