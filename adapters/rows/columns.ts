// Rows of columns whose names are published, as files and views have them: how a cell is read, and which make a record.
import {
  ALWAYS,
  DRAFT_KINDS,
  MAX_CLOSURE_DAYS,
  MAX_REGION_LENGTH,
  MAX_UNIT_LENGTH,
  type RecordKind,
  type RecordOf,
} from '../records.ts'
import { daysBetween } from './days.ts'
import { divideExactly, toExact, toMoney } from './decimals.ts'
import {
  codeOf,
  codeText,
  countryOf,
  currencyOf,
  demandDayOf,
  emptyValue,
  BadValue,
  nameOf,
  type Subject,
  timeZoneOf,
} from './values.ts'

/**
 * Reads the cells of a row by column; throws `BadValue` for an invalid one. `…OrNull` gives null for an empty cell, and
 * for a column that is not there.
 */
export abstract class Columns {
  /** Whether small letters may stand for capitals, and capitals for small letters. */
  protected abstract readonly isCaseless: boolean

  /** The text of a cell without the spaces around it; empty for none. */
  abstract text(column: string): string
  /** The text of a cell that holds a code. */
  protected abstract codeText(column: string): string
  abstract unitsOrNull(column: string): number | null
  abstract priceOrNull(column: string): number | null
  abstract factorOrNull(column: string): number | null
  abstract daysOrNull(column: string, least?: number): number | null
  abstract moneyOrNull(column: string): string | null
  abstract rate(column: string): string
  abstract dayOrNull(column: string): string | null
  abstract flagOrNull(column: string): boolean | null

  /** The pair that the row is about. */
  subject(): Subject {
    return { sku: codeText(this.text('sku')), location: codeText(this.text('location')) }
  }

  /** Whether the cell says anything. */
  has(column: string): boolean {
    return this.text(column) !== ''
  }

  oneOf<T extends string>(column: string, allowed: readonly T[]): T {
    const text = this.isCaseless ? this.text(column).toLowerCase() : this.text(column)
    if (!text) throw emptyValue(column)
    const found = allowed.find((each) => each === text)
    if (!found) throw new BadValue(column, `must be one of ${allowed.join(', ')}`)
    return found
  }

  code(column: string, maxLength?: number): string {
    return codeOf(this.codeText(column), column, maxLength)
  }

  codeOrNull(column: string, maxLength?: number): string | null {
    const code = this.codeText(column)
    return code ? codeOf(code, column, maxLength) : null
  }

  /** Number and line of a document. */
  longCodeOrNull(column: string): string | null {
    return this.codeOrNull(column, 201)
  }

  /** 0 for an empty cell. */
  unitsOrAll(column: string): number {
    return this.unitsOrNull(column) ?? 0
  }

  /** Empty for all. */
  codeOrAll(column: string): string {
    return this.codeOrNull(column) ?? ''
  }

  nameOrNull(column: string): string | null {
    return nameOf(this.text(column))
  }

  nameOrAll(column: string): string {
    return this.nameOrNull(column) ?? ''
  }

  countryOrNull(column: string): string | null {
    return countryOf(this.#capitals(column), column)
  }

  regionOrNull(column: string): string | null {
    const text = this.#capitals(column)
    return text ? codeOf(text, column, MAX_REGION_LENGTH) : null
  }

  timeZoneOrNull(column: string): string | null {
    return timeZoneOf(this.text(column), column)
  }

  /** Empty for all days. */
  dayOrAll(column: string): string {
    return this.dayOrNull(column) ?? ''
  }

  /** Empty for no country. */
  countryOrAll(column: string): string {
    return this.countryOrNull(column) ?? ''
  }

  regionOrAll(column: string): string {
    return this.regionOrNull(column) ?? ''
  }

  /** The weekdays beside the working days of the cell, such as `67` of `1-5` or `1,2,3,4,5`; empty where it says none. */
  restDaysOrAll(column: string): string {
    const text = this.text(column).replaceAll(' ', '')
    if (!text) return ''
    if (!/^[1-7](-[1-7])?([,;/][1-7](-[1-7])?)*$/.test(text))
      throw new BadValue(column, 'must be weekdays of 1 (Monday) to 7 (Sunday), as 1-5 or 1,2,4')
    const spans = text.split(/[,;/]/).map((span) => span.split('-'))
    const isWorked = (day: string) =>
      spans.some(([from = '', to = from]) => from <= day && day <= to)
    return [...'1234567'].filter((day) => !isWorked(day)).join('')
  }

  unitOrNull(column: string): string | null {
    const text = this.text(column)
    return text ? codeOf(text, column, MAX_UNIT_LENGTH) : null
  }

  units(column: string): number {
    return this.#given(this.unitsOrNull(column), column)
  }

  /** A 0 is none: any quantity may be ordered. */
  positiveOrNull(column: string): number | null {
    return this.unitsOrNull(column) || null
  }

  /** Its column must be there, though a cell of it may be empty. */
  leadTime(column: string): number | null {
    return this.daysOrNull(column)
  }

  periodOrNull(column: string): number | null {
    return this.daysOrNull(column, 1)
  }

  money(column: string): string {
    return this.#given(this.moneyOrNull(column), column)
  }

  /** Of a base unit: what the price of an order unit comes to where the cell is empty; null where nobody says how many it has. */
  unitCostOrNull(column: string): string | null {
    const cost = this.moneyOrNull(column)
    if (cost !== null) return cost
    const units = this.positiveOrNull('units_per_order_unit') ?? (this.has('order_unit') ? null : 1)
    const [price, divisor] = [toExact(this.moneyOrNull('order_price')), toExact(units)]
    return price !== null && divisor ? toMoney(divideExactly(price, divisor)) : null
  }

  currency(column: string): string {
    return this.#given(this.currencyOrNull(column), column)
  }

  currencyOrNull(column: string): string | null {
    return currencyOf(this.#capitals(column), column)
  }

  demandDay(column: string): string {
    return demandDayOf(this.dayOrNull(column), column)
  }

  day(column: string): string {
    return this.#given(this.dayOrNull(column), column)
  }

  flagOrTrue(column: string): boolean {
    return this.flagOrNull(column) ?? true
  }

  #capitals(column: string): string {
    return this.isCaseless ? this.text(column).toUpperCase() : this.text(column)
  }

  #given<T>(value: T | null, column: string): T {
    if (value === null) throw emptyValue(column)
    return value
  }
}

/** The methods that read a value of a type from a column. */
type ReaderOf<T> = {
  [M in keyof Columns]: Columns[M] extends (column: string) => T ? M : never
}[keyof Columns]

/** The fields of a kind of record, each with how its column is read: by a method, or by a function. */
export type Fields<K extends RecordKind, R extends Columns = Columns> = {
  [F in keyof RecordOf<K>]?: ReaderOf<RecordOf<K>[F]> | ((row: R, column: string) => RecordOf<K>[F])
}

/** The columns of fields that are not called as the field is. */
export type ColumnNames = Readonly<Record<string, string>>

const PRICING = {
  supplier: 'codeOrNull',
  unitCost: 'moneyOrNull',
  currency: 'currencyOrNull',
} as const
const PHASES = { phaseOutOn: 'dayOrNull', successor: 'codeOrNull' } as const
const OPEN_LINE = {
  document: 'code',
  line: 'code',
  sku: 'code',
  location: 'code',
  quantity: 'units',
  due: 'dayOrNull',
} as const

/** What files and views have in common. */
export const FIELDS = {
  locations: {
    location: 'code',
    name: 'nameOrNull',
    country: 'countryOrNull',
    region: 'regionOrNull',
    timeZone: 'timeZoneOrNull',
  },
  skus: {
    sku: 'code',
    name: 'nameOrNull',
    unit: 'unitOrNull',
    ...PRICING,
    skuGroup: 'codeOrNull',
    ...PHASES,
  },
  planning: {
    sku: 'code',
    location: 'code',
    leadTimeDays: 'leadTime',
    reviewPeriodDays: 'periodOrNull',
    moq: 'unitsOrNull',
    lotSize: 'positiveOrNull',
    ...PRICING,
    unitCost: 'unitCostOrNull',
    orderUnit: 'unitOrNull',
    unitsPerOrderUnit: 'positiveOrNull',
    orderPrice: 'moneyOrNull',
    supplierSku: 'codeOrNull',
    ...PHASES,
  },
  priceBreaks: {
    sku: 'code',
    location: 'codeOrAll',
    supplier: 'codeOrAll',
    fromQuantity: 'units',
    unitCost: 'money',
  },
  supplierTerms: {
    supplier: 'code',
    location: 'codeOrAll',
    minimumOrderValue: 'moneyOrNull',
    minimumOrderQuantity: 'unitsOrNull',
    freeFreightFrom: 'moneyOrNull',
    freightCost: 'moneyOrNull',
    orderCost: 'moneyOrNull',
    ordersByLocation: 'flagOrNull',
  },
  closures: {
    supplier: 'codeOrAll',
    location: 'codeOrAll',
    firstDay: 'dayOrAll',
    lastDay: 'dayOrAll',
    restDays: 'restDaysOrAll',
    country: 'countryOrAll',
    region: 'regionOrAll',
    reason: 'nameOrAll',
  },
  batches: { sku: 'code', location: 'code', batch: 'code', expiresOn: 'day', quantity: 'units' },
  stockHistory: { sku: 'code', location: 'code', date: 'demandDay', onHand: 'units' },
  openOrders: {
    ...OPEN_LINE,
    reference: 'codeOrNull',
    supplier: 'codeOrNull',
    orderedOn: 'dayOrNull',
    unitCost: 'moneyOrNull',
    draft: 'longCodeOrNull',
    confirmedOn: 'dayOrNull',
    confirmedQuantity: 'unitsOrNull',
  },
  drafts: {
    ...{ document: 'code', line: 'code', sku: 'code', location: 'codeOrAll' },
    kind: (row, column) => row.oneOf(column, DRAFT_KINDS),
    quantity: 'units',
    ordered: 'unitsOrAll',
    due: 'dayOrNull',
    createdOn: 'dayOrNull',
    supplier: 'codeOrNull',
    reference: 'codeOrNull',
    unitCost: 'moneyOrNull',
    currency: 'currencyOrNull',
    agreedValue: 'moneyOrNull',
    orderedValue: 'moneyOrNull',
  },
  customerOrders: OPEN_LINE,
  reservations: OPEN_LINE,
  exchangeRates: {
    fromCurrency: 'currency',
    toCurrency: 'currency',
    validFrom: 'day',
    rate: 'rate',
  },
} as const satisfies { [K in RecordKind]?: Fields<K> }

/** The column of a field: as it is called, or as its name is written with underscores. */
const columnOf = (field: string, names: ColumnNames) =>
  names[field] ?? field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** What makes a record of a row: each field read from its column, in the order of the fields. It throws BadValue. */
export function mapperOf<K extends RecordKind, R extends Columns = Columns>(
  fields: Fields<K, R>,
  names: ColumnNames = {},
): (row: R) => RecordOf<K> {
  type Read = (row: R, column: string) => unknown
  const reads = Object.entries(fields).map(([field, reader]) => {
    const by: Read =
      typeof reader === 'function'
        ? (reader as Read)
        : (row, column) => (row[reader as ReaderOf<unknown>] as (column: string) => unknown)(column)
    return { field, column: columnOf(field, names), by }
  })
  return (row) => {
    const record: Record<string, unknown> = {}
    for (const { field, column, by } of reads) record[field] = by(row, column)
    return record as RecordOf<K>
  }
}

/** @param names of the columns. @returns what reads a draft; it throws BadValue */
export function draftMapper<R extends Columns>(names: ColumnNames = {}) {
  const read = mapperOf<'drafts', R>(FIELDS.drafts, names)
  return (row: R): RecordOf<'drafts'> => {
    const record = read(row)
    // Files often fill an empty value with 0.
    if (record.agreedValue && !(Number(record.agreedValue) > 0)) record.agreedValue = null
    if (record.kind === 'contract') return record
    if (!record.location) throw emptyValue('location')
    if (record.agreedValue)
      throw new BadValue(columnOf('agreedValue', names), 'must be empty unless kind is contract')
    return record
  }
}

/** How the column of a field of a closure is called in files. */
export const CLOSURE_COLUMNS = { firstDay: 'from', lastDay: 'to', restDays: 'working_days' }

/** @param names of the columns. @returns what reads a row that says when a supplier or a location is closed; it throws BadValue */
export function closureMapper<R extends Columns>(names: ColumnNames) {
  const read = mapperOf<'closures', R>(FIELDS.closures, names)
  const [first, last] = [columnOf('firstDay', names), columnOf('lastDay', names)]
  return (row: R): RecordOf<'closures'> => {
    const record = read(row)
    if (Boolean(record.supplier) === Boolean(record.location))
      throw new BadValue('supplier', 'or location must be given, and not both')
    const isPart = record.restDays !== '' || record.country !== ''
    if (!record.firstDay && !isPart) throw emptyValue(first)
    const firstDay = record.firstDay || ALWAYS.firstDay
    const lastDay = record.lastDay || (isPart ? ALWAYS.lastDay : firstDay)
    if (lastDay < firstDay) throw new BadValue(last, `must not lie before ${first}`)
    if (!isPart && daysBetween(firstDay, lastDay) > MAX_CLOSURE_DAYS)
      throw new BadValue(last, `must lie within ${MAX_CLOSURE_DAYS} days from ${first} on`)
    return { ...record, firstDay, lastDay }
  }
}

/** The columns that must be there, and those that may: whatever is read as null, true or "all" where it is empty. */
export function columnsOf(fields: object, names: ColumnNames = {}) {
  const isOptional = ([, reader]: [string, unknown]) =>
    typeof reader === 'string' && /Or(Null|All|True)$/.test(reader)
  const columns = Map.groupBy(Object.entries(fields), isOptional)
  const named = (found: [string, unknown][] = []) => found.map(([field]) => columnOf(field, names))
  return { required: named(columns.get(false)), optional: named(columns.get(true)) }
}
