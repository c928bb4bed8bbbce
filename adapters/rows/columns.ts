// Rows of columns whose names are published, as files and views have them: how a cell is read, and which make a record.
import { MAX_REGION_LENGTH, MAX_UNIT_LENGTH, type RecordKind, type RecordOf } from '../records.ts'
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
    ordersByLocation: 'flagOrNull',
  },
  batches: { sku: 'code', location: 'code', batch: 'code', expiresOn: 'day', quantity: 'units' },
  stockHistory: { sku: 'code', location: 'code', date: 'demandDay', onHand: 'units' },
  openOrders: {
    ...OPEN_LINE,
    reference: 'codeOrNull',
    supplier: 'codeOrNull',
    orderedOn: 'dayOrNull',
    unitCost: 'moneyOrNull',
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

/** The columns that must be there, and those that may: whatever is read as null, true or "all" where it is empty. */
export function columnsOf(fields: object, names: ColumnNames = {}) {
  const isOptional = ([, reader]: [string, unknown]) =>
    typeof reader === 'string' && /Or(Null|All|True)$/.test(reader)
  const columns = Map.groupBy(Object.entries(fields), isOptional)
  const named = (found: [string, unknown][] = []) => found.map(([field]) => columnOf(field, names))
  return { required: named(columns.get(false)), optional: named(columns.get(true)) }
}
