// The views that a customer provides: their names, columns and keys. README.md publishes them.
import type { RecordKind, RecordOf } from '../records.ts'
import type { Row } from './row.ts'
import { toCustomerOrder } from './to-customer-order.ts'
import { toDemand } from './to-demand.ts'
import { toErpForecast } from './to-erp-forecast.ts'
import { toExchangeRate } from './to-exchange-rate.ts'
import { toLocation } from './to-location.ts'
import { toOpenOrder } from './to-open-order.ts'
import { toPlannedEvent } from './to-planned-event.ts'
import { toPlanning } from './to-planning.ts'
import { toPriceBreak } from './to-price-break.ts'
import { toReceipt } from './to-receipt.ts'
import { toReservation } from './to-reservation.ts'
import { toSku } from './to-sku.ts'
import { toStock } from './to-stock.ts'
import { toStockHistory } from './to-stock-history.ts'
import { toSupplier } from './to-supplier.ts'
import { toSupplierTerms } from './to-supplier-terms.ts'

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
  /** @throws BadValue */
  map(row: Row): RecordOf<K>
}

const PRICING = ['supplier', 'unit_cost', 'currency']
const PHASES = ['purchasable', 'phase_out_on', 'successor']
const LINE = ['document', 'line', 'sku', 'location', 'quantity']
/** Columns of views that are read by their changes. */
export const CHANGED = 'changed_at'
export const DELETED = 'deleted'
export const CREATED = 'created_at'

const view = <K extends RecordKind>(
  record: K,
  name: string,
  map: (row: Row) => RecordOf<K>,
  columns: Pick<View, 'required' | 'optional' | 'key'>,
  changes: View['changes'] = null,
): View<K> => ({ record, name, map, ...columns, changes })

export const VIEWS = [
  view('locations', 'locations', toLocation, {
    ...{ required: ['location'], optional: ['name', 'country', 'region', 'time_zone'] },
    key: ['location'],
  }),
  view('suppliers', 'suppliers', toSupplier, {
    ...{ required: ['supplier'], optional: ['name'] },
    key: ['supplier'],
  }),
  view(
    'skus',
    'items',
    toSku,
    {
      ...{ required: ['sku'], optional: ['name', 'unit', 'sku_group', ...PRICING, ...PHASES] },
      key: ['sku'],
    },
    'all',
  ),
  view(
    'planning',
    'planning',
    toPlanning,
    {
      required: ['sku', 'location', 'lead_time_days'],
      optional: ['review_period_days', 'moq', 'lot_size', ...PRICING, ...PHASES],
      key: ['sku', 'location'],
    },
    'all',
  ),
  view('priceBreaks', 'price_breaks', toPriceBreak, {
    required: ['sku', 'from_quantity', 'unit_cost'],
    optional: ['location', 'supplier'],
    key: ['sku', 'location', 'supplier', 'from_quantity'],
  }),
  view('supplierTerms', 'supplier_terms', toSupplierTerms, {
    required: ['supplier'],
    optional: [
      ...['location', 'minimum_order_value', 'minimum_order_quantity'],
      ...['free_freight_from', 'freight_cost', 'orders_by_location'],
    ],
    key: ['supplier', 'location'],
  }),
  view('stock', 'stock', toStock, {
    required: ['sku', 'location', 'on_hand'],
    optional: ['backorders', 'in_inspection', 'blocked', 'in_transit'],
    key: ['sku', 'location'],
  }),
  view('stockHistory', 'stock_history', toStockHistory, {
    ...{ required: ['sku', 'location', 'day', 'on_hand'], optional: [] },
    key: ['sku', 'location', 'day'],
  }),
  view('openOrders', 'open_orders', toOpenOrder, {
    ...{ required: LINE, optional: ['due', 'supplier', 'ordered_on', 'reference'] },
    key: ['document', 'line'],
  }),
  view('customerOrders', 'customer_orders', toCustomerOrder, {
    ...{ required: LINE, optional: ['due'], key: ['document', 'line'] },
  }),
  view('reservations', 'reservations', toReservation, {
    ...{ required: LINE, optional: ['due'], key: ['document', 'line'] },
  }),
  view(
    'receipts',
    'receipts',
    toReceipt,
    {
      required: [...LINE, 'receipt', 'received_on'],
      optional: ['supplier', 'ordered_on', 'due', 'reference'],
      key: ['document', 'receipt'],
    },
    'movements',
  ),
  view('exchangeRates', 'exchange_rates', toExchangeRate, {
    ...{ required: ['from_currency', 'to_currency', 'valid_from', 'rate'], optional: [] },
    key: ['from_currency', 'to_currency', 'valid_from'],
  }),
  view('plannedEvents', 'planned_events', toPlannedEvent, {
    required: ['kind', 'first_day', 'last_day'],
    optional: ['sku', 'location', 'sku_group', 'name', 'factor', 'price'],
    key: ['sku', 'location', 'sku_group', 'kind', 'first_day', 'name'],
  }),
  view('erpForecasts', 'erp_forecasts', toErpForecast, {
    ...{ required: ['sku', 'location', 'first_day', 'last_day', 'quantity'], optional: [] },
    key: ['sku', 'location', 'first_day'],
  }),
  view(
    'demand',
    'demand',
    toDemand,
    {
      required: ['sku', 'location', 'day', 'quantity'],
      optional: ['id', 'price', 'promo', 'reversal_of'],
      key: ['id'],
    },
    'movements',
  ),
] as const

/** Where totals of days are given, in a view that is read whole. */
export const KEY_OF_TOTALS = ['sku', 'location', 'day']
