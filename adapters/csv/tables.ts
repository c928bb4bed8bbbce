// The files of a csv source, their columns and mappers.
import { RECORDS } from '../records.ts'
import type { RecordKind, RecordOf } from '../records.ts'
import { firstLinesOfDays, firstLinesOfKeys } from './duplicates.ts'
import type { FirstLines } from './duplicates.ts'
import type { Row } from './row.ts'
import { toCustomerOrder } from './to-customer-order.ts'
import { toDemand } from './to-demand.ts'
import { BY_DATES, toErpForecast } from './to-erp-forecast.ts'
import { toExchangeRate } from './to-exchange-rate.ts'
import { toLocation } from './to-location.ts'
import { toOpenOrder } from './to-open-order.ts'
import { BY_DAY, plannedEventMapper } from './to-planned-event.ts'
import { toPlanning } from './to-planning.ts'
import { toPriceBreak } from './to-price-break.ts'
import { toReceipt } from './to-receipt.ts'
import { toReservation } from './to-reservation.ts'
import { toSku } from './to-sku.ts'
import { toStockHistory } from './to-stock-history.ts'
import { toStock } from './to-stock.ts'
import { toSupplierTerms } from './to-supplier-terms.ts'

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
  /** Creates the duplicate check of one read. */
  firstLines(): FirstLines<RecordOf<K>>
}

const PRICING = ['supplier', 'unit_cost', 'currency']

export const TABLES = [
  table(
    'locations',
    'locations',
    ['location'],
    ['name', 'country', 'region', 'time_zone'],
    toLocation,
  ),
  table(
    'skus',
    'items',
    ['sku'],
    ['name', 'unit', 'group', 'phase_out_on', 'successor', ...PRICING],
    toSku,
  ),
  table(
    'planning',
    'planning',
    ['sku', 'location', 'lead_time_days'],
    ['review_period_days', 'moq', 'lot_size', 'phase_out_on', 'successor', ...PRICING],
    toPlanning,
  ),
  table(
    'priceBreaks',
    'price_breaks',
    ['sku', 'from_quantity', 'unit_cost'],
    ['location', 'supplier'],
    toPriceBreak,
  ),
  table(
    'supplierTerms',
    'supplier_terms',
    ['supplier'],
    [
      ...['location', 'minimum_order_value', 'minimum_order_quantity'],
      ...['free_freight_from', 'freight_cost', 'orders_by_location'],
    ],
    toSupplierTerms,
  ),
  table('stock', 'stock', ['sku', 'location', 'on_hand'], ['in_inspection'], toStock),
  {
    ...table(
      'stockHistory',
      'stock_history',
      ['sku', 'location', 'date', 'on_hand'],
      [],
      toStockHistory,
    ),
    firstLines: firstLinesOfDays<'stockHistory'>,
  },
  table(
    'openOrders',
    'open_orders',
    ['order', 'line', 'sku', 'location', 'quantity'],
    ['due', 'reference', 'supplier', 'ordered_on'],
    toOpenOrder,
  ),
  table(
    'customerOrders',
    'customer_orders',
    ['order', 'line', 'sku', 'location', 'quantity'],
    ['due'],
    toCustomerOrder,
  ),
  table(
    'reservations',
    'reservations',
    ['reservation', 'line', 'sku', 'location', 'quantity'],
    ['due'],
    toReservation,
  ),
  table(
    'receipts',
    'receipts',
    ['order', 'line', 'sku', 'location', 'received_on', 'quantity'],
    ['supplier', 'ordered_on', 'due', 'reference'],
    toReceipt,
  ),
  table(
    'exchangeRates',
    'exchange_rates',
    ['from', 'to', 'rate', 'valid_from'],
    [],
    toExchangeRate,
  ),
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
    ...table(
      'demand',
      'demand',
      ['sku', 'location', 'date', 'quantity'],
      ['price', 'promo'],
      toDemand,
    ),
    isRequired: true,
    firstLines: firstLinesOfDays<'demand'>,
  },
]

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
