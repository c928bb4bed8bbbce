// The views that a customer provides: their names, columns and keys. README.md publishes them.
import { type RecordKind, type RecordOf, RECORDS } from '../records.ts'
import {
  closureMapper,
  draftMapper,
  type ColumnNames,
  columnsOf,
  type Fields,
  FIELDS,
  mapperOf,
} from '../rows/columns.ts'
import { BadValue } from '../rows/values.ts'
import type { SqlOptions } from './options.ts'
import type { Row } from './row.ts'
import {
  FORECAST,
  PLANNED_EVENT,
  RECEIPT,
  toDemand,
  toErpForecast,
  toPlannedEvent,
  toStock,
} from './to-records.ts'

export interface View<K extends RecordKind = RecordKind> {
  record: K
  /** Without the prefix. */
  name: string
  required: readonly string[]
  optional: readonly string[]
  /** Columns that tell its rows apart. */
  key: readonly string[]
  /** From which value of `changed_at` on only its changes are read; null for one that is always read whole. */
  changes: 'movements' | 'all' | null
  /** @throws BadValue that says what the row is about */
  map(row: Row): RecordOf<K>
}

/** Columns of views that are read by their changes. */
export const CHANGED = 'changed_at'
export const DELETED = 'deleted'
export const CREATED = 'created_at'

interface ViewSettings<K extends RecordKind> {
  names?: ColumnNames
  /** Instead of reading each field from its column. */
  map?: (row: Row) => RecordOf<K>
  changes?: View['changes']
}

/** A view whose columns are the fields of its records. */
function view<K extends RecordKind>(
  record: K,
  name: string,
  key: string,
  fields: Fields<K, Row>,
  { names = {}, map = mapperOf<K, Row>(fields, names), changes = null }: ViewSettings<K> = {},
): View<K> {
  const { required, optional } = columnsOf(fields, names)
  return { record, name, key: key.split(' '), required, optional, changes, map: aboutRow(map) }
}

const aboutRow =
  <T>(map: (row: Row) => T) =>
  (row: Row): T => {
    try {
      return map(row)
    } catch (error) {
      if (error instanceof BadValue) error.about = row.subject()
      throw error
    }
  }

const DAY = { date: 'day' }
const WORKING_DAYS = { restDays: 'working_days' }
const SKU: Fields<'skus', Row> = { ...FIELDS.skus, purchasable: 'flagOrTrue' }
const PLANNING: Fields<'planning', Row> = { ...FIELDS.planning, purchasable: 'flagOrTrue' }

export const VIEWS = [
  view('locations', 'locations', 'location', FIELDS.locations),
  view('suppliers', 'suppliers', 'supplier', { supplier: 'code', name: 'nameOrNull' }),
  view('skus', 'items', 'sku', SKU, { changes: 'all' }),
  view('planning', 'planning', 'sku location', PLANNING, { changes: 'all' }),
  view('priceBreaks', 'price_breaks', 'sku location supplier from_quantity', FIELDS.priceBreaks),
  view('supplierTerms', 'supplier_terms', 'supplier location', FIELDS.supplierTerms),
  view(
    'closures',
    'closures',
    'supplier location first_day working_days country',
    FIELDS.closures,
    { names: WORKING_DAYS, map: closureMapper<Row>(WORKING_DAYS) },
  ),
  {
    record: 'stock' as const,
    name: 'stock',
    key: ['sku', 'location'],
    required: ['sku', 'location', 'on_hand'],
    optional: ['backorders', 'in_inspection', 'blocked', 'in_transit'],
    changes: null,
    map: aboutRow(toStock),
  },
  view('batches', 'batches', 'sku location batch', FIELDS.batches),
  view('stockHistory', 'stock_history', 'sku location day', FIELDS.stockHistory, { names: DAY }),
  view('openOrders', 'open_orders', 'document line', FIELDS.openOrders),
  view('drafts', 'drafts', 'document line', FIELDS.drafts as Fields<'drafts', Row>, {
    map: draftMapper<Row>(),
  }),
  view('customerOrders', 'customer_orders', 'document line', FIELDS.customerOrders),
  view('reservations', 'reservations', 'document line', FIELDS.reservations),
  view('receipts', 'receipts', 'document receipt', RECEIPT, { changes: 'movements' }),
  view(
    'exchangeRates',
    'exchange_rates',
    'from_currency to_currency valid_from',
    FIELDS.exchangeRates,
  ),
  view(
    'plannedEvents',
    'planned_events',
    'sku location sku_group kind first_day name',
    PLANNED_EVENT,
    { map: toPlannedEvent },
  ),
  view('erpForecasts', 'erp_forecasts', 'sku location first_day', FORECAST, { map: toErpForecast }),
  {
    record: 'demand' as const,
    name: 'demand',
    key: ['id'],
    required: ['sku', 'location', 'day', 'quantity'],
    optional: ['id', 'price', 'promo', 'reversal_of'],
    changes: 'movements' as const,
    map: aboutRow(toDemand),
  },
] as const

/** Where totals of days are given, in a view that is read whole: rows of demand without an `id`. */
export const KEY_OF_TOTALS = ['sku', 'location', 'day']

/** What tells a record apart from the others of its view. */
export function keyOf(kind: RecordKind, record: object): Record<string, string> {
  const values = record as Record<string, string>
  const isLine = kind === 'demand' && values.document !== undefined
  const fields: readonly string[] = isLine ? ['document'] : RECORDS[kind].key
  return Object.fromEntries(fields.map((field) => [field, values[field]!]))
}

/** Whether only what has changed is read of a view. */
export function isByChanges(
  { changed_at: wanted }: SqlOptions,
  { changes }: Pick<View, 'changes'>,
): boolean {
  if (changes === null || wanted === 'none') return false
  return changes === 'movements' || wanted === 'all'
}
