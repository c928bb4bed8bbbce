// The files of a csv source, their columns and mappers.
import { type RecordKind, type RecordOf, RECORDS } from '../records.ts'
import {
  CLOSURE_COLUMNS,
  closureMapper,
  draftMapper,
  type ColumnNames,
  columnsOf,
  type Fields,
  FIELDS,
  mapperOf,
} from '../rows/columns.ts'
import { type FirstLines, firstLinesOfDays, firstLinesOfKeys } from './duplicates.ts'
import type { Row } from './row.ts'
import {
  assertStock,
  BY_DATES,
  BY_DAY,
  ORDER,
  plannedEventMapper,
  RATE_COLUMNS,
  toBatch,
  toDemand,
  toErpForecast,
  toExchangeRate,
  toOpenOrder,
  toPriceBreak,
  toReceipt,
  toStock,
  toSupplierTerms,
} from './to-records.ts'

/** One kind of file. */
export interface Table<K extends RecordKind = RecordKind> {
  record: K
  /** The file's name without its extension. */
  stem: string
  isRequired: boolean
  requiredColumns: string[]
  /** Those of another form of the file; absent where there is one form. */
  orColumns?: string[]
  optionalColumns: string[]
  /** Creates what maps the rows of one read: null for a row that says nothing. It throws BadValue. */
  mapper(): (row: Row) => RecordOf<K> | null
  /** What the record of all rows of a key must be, of rows that are read twice. It throws BadValue. */
  assert?(record: RecordOf<K>, row: Row, isSum: boolean): void
  /** A row that is rejected takes the other rows of its pair along: what they add up to is not known. */
  isKnownWhole?: boolean
  /** Creates the duplicate check of one read. */
  firstLines(): FirstLines<RecordOf<K>>
}

/** A file whose records are made of other columns than their fields. */
function table<K extends RecordKind>(
  record: K,
  stem: string,
  requiredColumns: string[],
  optionalColumns: string[],
  map: (row: Row) => RecordOf<K>,
): Table<K> {
  const firstLines = () => firstLinesOfKeys<RecordOf<K>>(RECORDS[record].key)
  const mapper = () => map
  return { record, stem, isRequired: false, requiredColumns, optionalColumns, mapper, firstLines }
}

/** A file whose columns are the fields of its records. */
function tableOf<K extends keyof typeof FIELDS>(
  record: K,
  stem: string,
  names: ColumnNames = {},
  map: (row: Row) => RecordOf<K> = mapperOf(FIELDS[record] as Fields<K>, names),
): Table<K> {
  const { required, optional } = columnsOf(FIELDS[record], names)
  return table(record, stem, required, optional, map)
}

const DEMAND = ['sku', 'location', 'date', 'quantity']
const RECEIPT = ['order', 'line', 'sku', 'location', 'received_on', 'quantity']

export const TABLES = [
  tableOf('locations', 'locations'),
  tableOf('skus', 'items', { skuGroup: 'group' }),
  tableOf('planning', 'planning'),
  tableOf('priceBreaks', 'price_breaks', {}, toPriceBreak),
  tableOf('supplierTerms', 'supplier_terms', {}, toSupplierTerms),
  table(
    'closures',
    'closures',
    ['from'],
    ['supplier', 'location', 'to', 'working_days', 'country', 'region', 'reason'],
    closureMapper(CLOSURE_COLUMNS),
  ),
  {
    ...table('stock', 'stock', ['sku', 'location', 'on_hand'], ['in_inspection'], toStock),
    ...{ assert: assertStock, isKnownWhole: true },
  },
  { ...tableOf('batches', 'batches'), mapper: () => toBatch },
  { ...tableOf('stockHistory', 'stock_history'), firstLines: firstLinesOfDays<'stockHistory'> },
  tableOf('openOrders', 'open_orders', ORDER, toOpenOrder),
  tableOf('drafts', 'drafts', {}, draftMapper()),
  tableOf('customerOrders', 'customer_orders', ORDER),
  tableOf('reservations', 'reservations', { document: 'reservation' }),
  table(
    'receipts',
    'receipts',
    RECEIPT,
    ['supplier', 'ordered_on', 'due', 'reference', 'draft', 'unit_cost'],
    toReceipt,
  ),
  tableOf('exchangeRates', 'exchange_rates', RATE_COLUMNS, toExchangeRate),
  {
    record: 'plannedEvents' as const,
    stem: 'plan',
    isRequired: false,
    requiredColumns: ['from', 'kind'],
    orColumns: BY_DAY,
    optionalColumns: ['sku', 'location', 'group', 'to', 'factor', 'price', 'name', 'date', 'promo'],
    mapper: plannedEventMapper,
    firstLines: () => firstLinesOfKeys<RecordOf<'plannedEvents'>>(RECORDS.plannedEvents.key),
  },
  {
    ...table(
      'erpForecasts',
      'erp_forecast',
      ['sku', 'location', 'month', 'quantity'],
      ['to'],
      toErpForecast,
    ),
    orColumns: BY_DATES,
  },
  {
    ...table('demand', 'demand', DEMAND, ['price', 'promo'], toDemand),
    isRequired: true,
    firstLines: firstLinesOfDays<'demand'>,
  },
]
