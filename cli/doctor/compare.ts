// Holds a report that the ERP has printed against what was read of it: first the sums, then the rows that differ.
import type { Command } from 'commander'
import type { Restock } from '../../client/index.ts'
import { type EpochDay, toDate } from '../../engine/index.ts'
import type { DateFormat } from '../../tables/dates.ts'
import type { Formats } from '../../tables/formats.ts'
import type { DecimalSign } from '../../tables/numbers.ts'
import { openClient } from '../client.ts'
import { command, type Json, mandatory, option } from '../command.ts'
import { codeFrom, dayReader, numberOf } from '../offline/cells.ts'
import { COUNT, dayFrom, FORMATS } from '../offline/options.ts'
import { BadRow, readTable } from '../offline/table-file.ts'
import { count, note, print, printDocument } from '../output.ts'
import { type Column, linesOf } from '../table.ts'

const LISTS = ['stock', 'open_orders', 'demand'] as const
type List = (typeof LISTS)[number]

interface Options extends Json {
  list: List
  file: string
  before?: EpochDay
  rows: number
  dateFormat?: DateFormat
  decimal?: DecimalSign
}

/** `restock doctor compare` */
export const compareCommand = (): Command =>
  command({
    name: 'compare',
    summary: "hold a report of the ERP's own against what was read of it, and show what differs",
    examples: [
      'doctor compare src_1 --list stock --file stock.xlsx',
      'doctor compare src_1 --list demand --file sales.csv --before 2026-11-01',
    ],
    args: { '<source>': 'the connection, such as src_1' },
    options: [
      mandatory('--list <list>', 'what the report is of: stock, open_orders or demand', LISTS),
      mandatory(
        '--file <file>',
        'CSV or .xlsx with columns sku,location,quantity, of demand also date; rows of one key add up',
      ),
      option('--before <date>', 'of demand: leave out this day and later ones', dayFrom),
      option('--rows <number>', 'the most differing rows to print', COUNT, 20),
      ...FORMATS,
      option('--json', 'print the differences as JSON'),
    ],
    run: compare,
  })

/** One sum, and what the report says of it. */
interface Compared {
  location: string
  month: string | null
  sku: string | null
  report: number
  read: number
}

/** Less than any quantity that an ERP holds. */
const NOTHING = 1e-5
const differs = ({ report, read }: Compared) => Math.abs(report - read) > NOTHING

async function compare(options: Options, source: string) {
  const { list, json } = options
  const report = await readReport(options)
  const client = openClient()
  const cells = pairUp(report.cells, await sumsOf(client, source, { list }, options))
  const rows: Compared[] = []
  // Each cell's rows, since two that are off by as much leave a sum as it is.
  for (const { location, month } of cells) {
    const own = report.rows.get(cellOf({ location, month })) ?? new Map<string, number>()
    const at = { list, location, ...(month !== null && { month }) }
    rows.push(...pairUp(own, await sumsOf(client, source, at, options)).filter(differs))
  }
  const off = cells.filter(differs)
  if (rows.length) process.exitCode = 1
  if (json) return printDocument(JSON.stringify({ sums: off, rows }, null, 2))
  const total = (what: 'report' | 'read') => cells.reduce((sum, cell) => sum + cell[what], 0)
  print(
    `${list}: ${shown(total('report'))} in the report, ${shown(total('read'))} in ${source}; ${count(cells.length, 'sum')} by location${list === 'demand' ? ' and month' : ''}, ${off.length} of them differ.`,
  )
  if (off.length) print('', ...linesOf(COLUMNS.slice(0, 2).concat(NUMBERS), off))
  if (!rows.length) return print('No row differs.')
  print('', `${count(rows.length, 'row')} differ${rows.length === 1 ? 's' : ''}:`, '')
  print(...linesOf([...COLUMNS, ...NUMBERS], rows.slice(0, options.rows)))
  if (rows.length > options.rows) note(`There are more: show them with --rows ${rows.length}.`)
}

const shown = (quantity: number) => String(Number(quantity.toFixed(3)))

const COLUMNS: Column<Compared>[] = [
  ['LOCATION', ({ location }) => location],
  ['MONTH', ({ month }) => month],
  ['SKU', ({ sku }) => sku],
]
const NUMBERS: Column<Compared>[] = [
  ['REPORT', ({ report }) => shown(report), 'right'],
  ['RESTOCK', ({ read }) => shown(read), 'right'],
  ['DIFFERENCE', ({ report, read }) => shown(read - report), 'right'],
]

type Key = Pick<Compared, 'location' | 'month'> & { sku?: string | null }
const cellOf = ({ location, month, sku = null }: Key) => JSON.stringify([location, month, sku])

/** What either side knows, in order; what one of them lacks is 0. */
function pairUp(report: ReadonlyMap<string, number>, read: ReadonlyMap<string, number>) {
  const keys = [...new Set([...report.keys(), ...read.keys()])].sort()
  return keys.map((key): Compared => {
    const [location, month, sku] = JSON.parse(key) as [string, string | null, string | null]
    return { location, month, sku, report: report.get(key) ?? 0, read: read.get(key) ?? 0 }
  })
}

interface Wanted {
  list: List
  location?: string
  month?: string
}

async function sumsOf(client: Restock, source: string, wanted: Wanted, { before }: Options) {
  const query = { ...wanted, ...(before !== undefined && { before: toDate(before) }) }
  const { data } = await client.get('/sources/{id}/sums', { path: { id: source }, query })
  return new Map(data.map((sum) => [cellOf(sum), sum.quantity]))
}

interface Report {
  /** Quantities by location and month. */
  cells: Map<string, number>
  /** The same by SKU, of each cell. */
  rows: Map<string, Map<string, number>>
}

async function readReport({ list, file, before = Infinity, ...formats }: Options): Promise<Report> {
  const dated = list === 'demand' ? ['date'] : []
  const columns = {
    required: ['sku', 'location', 'quantity', ...dated],
    // As the files of a csv source name it.
    ...(list === 'stock' && { or: ['sku', 'location', 'on_hand'] }),
    optional: [],
  }
  const kinds = new Map([
    ...(['quantity', 'on_hand'] as const).map((name) => [name, 'number'] as const),
    ['date', 'date'] as const,
  ])
  const declared = { date_format: formats.dateFormat, decimal: formats.decimal }
  const report: Report = { cells: new Map(), rows: new Map() }
  const notes = await readTable(
    file,
    { columns, kinds, declared },
    (at: ReadonlyMap<string, number>, format: Formats) => {
      const dayOf = dayReader(format, 'date')
      const amount = at.has('quantity') ? 'quantity' : 'on_hand'
      const cell = (cells: string[], name: string) => cells[at.get(name)!]!
      return (cells) => {
        const day = list === 'demand' ? dayOf(cell(cells, 'date')) : null
        if (day !== null && day >= before) return
        const [sku, location] = ['sku', 'location'].map((name) => codeFrom(name, cell(cells, name)))
        if (!sku || !location) throw new BadRow(`the ${sku ? 'location' : 'sku'} is empty`)
        const month = day === null ? null : toDate(day).slice(0, 7)
        add(report, { location, month, sku }, numberOf(format, amount, cell(cells, amount)))
      }
    },
  )
  notes.forEach(note)
  return report
}

function add({ cells, rows }: Report, key: Key, quantity: number) {
  const cell = cellOf({ location: key.location, month: key.month })
  const own = rows.get(cell) ?? new Map<string, number>()
  rows.set(cell, own)
  const row = cellOf(key)
  cells.set(cell, (cells.get(cell) ?? 0) + quantity)
  own.set(row, (own.get(row) ?? 0) + quantity)
}
