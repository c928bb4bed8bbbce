// A configuration package with purchase headers (table 38) and lines (table 39): what "Export Package" writes and "Import
// Package" reads, XML in UTF-16, compressed. Names and lengths: microsoft.github.io/BCApps, tables "Purchase Header" and
// "Purchase Line"; how elements are named and a package is laid out: microsoft/BCApps, codeunit 8614 "Config. XML Exchange".
// By documentation only: docs/guides/hand-over.md.
import { gzipSync } from 'node:zlib'
import {
  dayColumn,
  firstLines,
  type FormTable,
  numberColumn,
  type OrderForm,
  type PlacedLine,
  tableOf,
  textColumn,
} from '../order-form.ts'

const REQUIRED = { isRequired: true }
/** Of enums 38 "Purchase Document Type" and "Purchase Line Type". */
const ORDER = '1'
const ITEM = '2'
/** Lines are numbered so that others can be put between them. */
const LINE_STEP = 10_000

/** Carries the hand-over's number, by which the order is found again: `HO12-1` of `ho_12`. */
export const documentNumber = ({ handOver, order }: PlacedLine) =>
  `${handOver.replace('_', '').toUpperCase()}-${order}`

/** `ho_12` of `HO12-1`; null for other numbers. */
export function handOverOf(document: string): string | null {
  const number = /^HO([1-9]\d{0,9})-[1-9]\d*$/.exec(document)?.[1]
  return number ? `ho_${number}` : null
}

const OF_BLANKET_ORDERS = 'BlanketOrders('

/** Quotes and orders may have the number of a blanket order. */
export const nameOfBlanketOrder = (number: string) => `${OF_BLANKET_ORDERS}${number})`

const numberOfBlanketOrder = (name: string) =>
  name.startsWith(OF_BLANKET_ORDERS) ? name.slice(OF_BLANKET_ORDERS.length, -1) : name

/** Posting may refuse what is over a blanket order: then the line names none. */
const wholeContract = ({ contract }: PlacedLine) => (contract?.over ? null : contract)

const blanketOrder = (line: PlacedLine) => {
  const contract = wholeContract(line)
  return contract && numberOfBlanketOrder(contract.document)
}

const HEADERS = [
  textColumn('Document Type', 1, () => ORDER),
  textColumn('No.', 20, documentNumber, REQUIRED),
  textColumn('Buy-from Vendor No.', 20, ({ supplier }) => supplier, REQUIRED),
  dayColumn('Order Date', ({ orderedOn }) => orderedOn, REQUIRED),
  dayColumn('Requested Receipt Date', ({ wantedOn }) => wantedOn),
  textColumn('Location Code', 10, ({ location }) => location, REQUIRED),
  textColumn('Your Reference', 35, ({ handOver }) => handOver),
]

const LINES = [
  textColumn('Document Type', 1, () => ORDER),
  textColumn('Document No.', 20, documentNumber, REQUIRED),
  numberColumn('Line No.', [9, 0], ({ place }) => place * LINE_STEP, REQUIRED),
  textColumn('Type', 1, () => ITEM),
  textColumn('No.', 20, ({ sku }) => sku, REQUIRED),
  textColumn('Location Code', 10, ({ location }) => location, REQUIRED),
  textColumn('Unit of Measure Code', 10, ({ orderUnit }) => orderUnit),
  numberColumn('Quantity', [15, 5], ({ orderQuantity }) => orderQuantity, REQUIRED),
  numberColumn('Direct Unit Cost', [13, 5], ({ price }) => price),
  dayColumn('Requested Receipt Date', ({ wantedOn }) => wantedOn, REQUIRED),
  textColumn('Vendor Item No.', 50, ({ supplierSku }) => supplierSku),
  textColumn('Blanket Order No.', 20, blanketOrder),
  numberColumn('Blanket Order Line No.', [9, 0], (line) => wholeContract(line)?.line ?? null),
]

interface PackageTable {
  id: number
  /** How many of the first columns are its key. */
  keys: number
}

const TABLES: Record<string, PackageTable> = {
  'Purchase Header': { id: 38, keys: 2 },
  'Purchase Line': { id: 39, keys: 3 },
}

export const BUSINESS_CENTRAL_FORM: OrderForm = {
  formats: ['rapidstart', 'xlsx'],
  dayFormats: ['YYYY-MM-DD'],
  orderOf: ({ supplier, location }) => [supplier, location],
  tables: (lines) => [
    tableOf('Purchase Header', HEADERS, firstLines(lines)),
    tableOf('Purchase Line', LINES, lines),
  ],
  pack: (tables) => gzipSync(Buffer.from(`\uFEFF${packageOf(tables)}`, 'utf16le')),
}

/** As codeunit 8614 names elements: without signs and spaces, a hyphen becomes an underscore. */
export const elementName = (name: string) => name.replaceAll('-', '_').replaceAll(/[^\w]/g, '')

const escape = (text: string) =>
  text.replaceAll(
    /[&<>"]/g,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!,
  )

function packageOf(tables: FormTable[]): string {
  const code = tables[0]?.rows[0]?.[1]?.split('-')[0] ?? 'RESTOCK'
  const lists = tables.map(listOf).join('')
  return (
    '<?xml version="1.0" encoding="UTF-16" standalone="yes"?>' +
    `<DataList ExcludeConfigTables="1" ProductVersion="" PackageName="Restock ${code}" Code="${code}">${lists}</DataList>`
  )
}

/** The first record tells of each field whether it is a part of the key, and when it is processed. */
function listOf({ name, header, rows }: FormTable): string {
  const element = elementName(name)
  const { id, keys } = TABLES[name]!
  const fields = header[0]!.map(elementName)
  const records = rows.map((row, at) => {
    const cells = row.map((cell, column) => {
      const order = ` ProcessingOrder="${column + 1}"`
      const marks = at ? '' : `${column < keys ? ' PrimaryKey="1"' : ''}${order}`
      return `<${fields[column]}${marks}>${escape(cell ?? '')}</${fields[column]}>`
    })
    return `<${element}>${cells.join('')}</${element}>`
  })
  return `<${element}List><TableID>${id}</TableID>${records.join('')}</${element}List>`
}
