// The forms in which approved lines are handed over: files that a person gives to the ERP's own import. They are pure:
// adapters never write to an ERP.

export interface CalledContract {
  document: string
  line: string
  /** What of the line, in base units, it has not left. */
  over: number
}

/** An approved line, with all that a form may say of it. */
export interface OrderLine {
  /** `prop_1042`. */
  reference: string
  /** `ho_12`: of all lines of one hand-over. */
  handOver: string
  kind: 'purchase' | 'transfer'
  sku: string
  name: string | null
  /** The supplier's own number of the SKU. */
  supplierSku: string | null
  location: string
  locationName: string | null
  /** Of a transfer. */
  fromLocation: string | null
  supplier: string | null
  supplierName: string | null
  /** In base units: a whole number. */
  quantity: number
  unit: string | null
  /** The same in order units: exact, a decimal of three places at most. */
  orderQuantity: string
  orderUnit: string | null
  /** Base units in one order unit. */
  unitsPerOrderUnit: number
  /** Of one order unit, a decimal. */
  price: string | null
  value: string | null
  currency: string | null
  /** The contract that it is called off from. */
  contract: CalledContract | null
  /** The day of the order, and the one on which the goods are wanted: `YYYY-MM-DD`. */
  orderedOn: string
  wantedOn: string
}

/** A line with its place in the order that the form makes of it. */
export interface PlacedLine extends OrderLine {
  /** From 1 on. */
  order: number
  /** Within its order, from 1 on. */
  place: number
}

export type CellKind = 'text' | 'number' | 'day' | 'time'

export interface FormColumn {
  /** What it is called, once for each row of the header. */
  names: readonly string[]
  kind: CellKind
  /** The most characters of a text. */
  most?: number
  /** Digits of a number before and after its point. */
  digits?: readonly [before: number, after: number]
  isRequired?: boolean
  value(line: PlacedLine): string | number | null
}

/** Cells as text; numbers with a point, days as `YYYY-MM-DD`, times as `YYYY-MM-DD hh:mm:ss`. */
export type FormRow = (string | null)[]

export interface FormTable {
  /** Of a sheet, or of a file where the form has several. */
  name: string
  header: string[][]
  kinds: CellKind[]
  rows: FormRow[]
}

/** How days are written in text; workbooks have days of their own. */
export const DAY_FORMATS = [
  'YYYY-MM-DD',
  'YYYYMMDD',
  'MM/DD/YYYY',
  'DD/MM/YYYY',
  'DD.MM.YYYY',
] as const
export type DayFormat = (typeof DAY_FORMATS)[number]

/** `csv` of one table, `zip` of a csv file for each, `xlsx` of a sheet for each, `rapidstart` as the form itself packs it. */
export const FILE_FORMATS = ['csv', 'xlsx', 'zip', 'rapidstart'] as const
export type FileFormat = (typeof FILE_FORMATS)[number]

export interface OrderForm {
  /** The usual one first. */
  formats: readonly FileFormat[]
  /** The first is the usual one; the others may be asked for. */
  dayFormats: readonly [DayFormat, ...DayFormat[]]
  /** Whether it knows orders from one's own location. */
  takesTransfers?: boolean
  /** What the lines of one order have in common. */
  orderOf(line: OrderLine): (string | null)[]
  /** @throws LineFault */
  tables(lines: PlacedLine[]): FormTable[]
  /** Of `rapidstart`. */
  pack?(tables: FormTable[]): Buffer
}

/** A cell that the ERP would not take. */
export class LineFault extends Error {
  readonly reference: string
  readonly column: string
  readonly rule: string
  constructor(reference: string, column: string, rule: string) {
    super(`${reference}: ${column} ${rule}`)
    this.reference = reference
    this.column = column
    this.rule = rule
  }
}

type More = Partial<Pick<FormColumn, 'isRequired' | 'digits'>>
type Value = FormColumn['value']
const namesOf = (name: string | readonly string[]) => (typeof name === 'string' ? [name] : name)

export const textColumn = (
  name: string | readonly string[],
  most: number,
  value: Value,
  more: More = {},
): FormColumn => ({ names: namesOf(name), kind: 'text', most, value, ...more })

export const numberColumn = (
  name: string | readonly string[],
  digits: readonly [number, number],
  value: Value,
  more: More = {},
): FormColumn => ({ names: namesOf(name), kind: 'number', digits, value, ...more })

export const dayColumn = (
  name: string | readonly string[],
  value: Value,
  more: More = {},
): FormColumn => ({ names: namesOf(name), kind: 'day', value, ...more })

/** The lines in the orders of a form: by the first line of each, and in the order in which they come. */
export function placeLines(form: OrderForm, lines: readonly OrderLine[]): PlacedLine[] {
  const orders = Map.groupBy(lines, (line) => JSON.stringify(form.orderOf(line)))
  return [...orders.values()].flatMap((own, order) =>
    own.map((line, place) => ({ ...line, order: order + 1, place: place + 1 })),
  )
}

/** @throws LineFault */
export function tableOf(
  name: string,
  columns: readonly FormColumn[],
  lines: readonly PlacedLine[],
): FormTable {
  const depth = Math.max(...columns.map(({ names }) => names.length))
  return {
    name,
    header: Array.from({ length: depth }, (_, at) =>
      columns.map(({ names }) => names[at] ?? names[0]!),
    ),
    kinds: columns.map(({ kind }) => kind),
    rows: lines.map((line) => columns.map((column) => cellOf(column, line))),
  }
}

function cellOf(column: FormColumn, line: PlacedLine): string | null {
  const given = column.value(line)
  const text = given === null || given === '' ? null : String(given)
  const rule = text === null ? column.isRequired && 'is missing' : faultIn(column, text)
  if (rule) throw new LineFault(line.reference, column.names[0]!, rule)
  return text
}

function faultIn({ kind, most, digits }: FormColumn, text: string): string | undefined {
  if (kind === 'text' && most !== undefined && text.length > most)
    return `takes ${most} characters at most: "${text}"`
  if (kind !== 'number' || !digits) return undefined
  const [before = '', after = ''] = text.split('.')
  if (!/^\d+$/.test(before) || (text.includes('.') && !/^\d+$/.test(after)))
    return `must be a decimal: "${text}"`
  if (before.length <= digits[0] && after.length <= digits[1]) return undefined
  return `takes ${digits[0]} digits before and ${digits[1]} after the point: "${text}"`
}

/** The first line of each order. */
export const firstLines = (lines: readonly PlacedLine[]) => lines.filter(({ place }) => place === 1)

/** A column that only the first line of an order fills. */
export const onFirstLine = (column: FormColumn): FormColumn => ({
  ...column,
  isRequired: false,
  value: (line) => (line.place === 1 ? column.value(line) : null),
})
