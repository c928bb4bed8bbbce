// Records of files that are more than their columns one by one.
import { isPeriod, MAX_PERIOD_DAYS, PLAN_KINDS, type RecordOf } from '../records.ts'
import { FIELDS, mapperOf } from '../rows/columns.ts'
import { BadValue } from '../rows/values.ts'
import type { Row } from './row.ts'

/** What the fields of an order's lines are called in a file. */
export const ORDER = { document: 'order' }

/** Hot path with millions of rows. */
export const toDemand = (row: Row): RecordOf<'demand'> => ({
  sku: row.code('sku'),
  location: row.code('location'),
  date: row.demandDay('date'),
  quantity: row.units('quantity'),
  price: row.priceIfReadable('price'),
  promo: row.flagOrNull('promo'),
})

/** A bin may be below zero, all of them together may not. */
export function toStock(row: Row): RecordOf<'stock'> {
  const inInspection = row.unitsOrNull('in_inspection')
  return {
    sku: row.code('sku'),
    location: row.code('location'),
    onHand: row.quantity('on_hand'),
    ...(inInspection !== null && { inInspection }),
  }
}

/** @throws BadValue for stock below zero, of which nobody knows whether it is owed or booked wrong */
export function assertStock({ onHand }: RecordOf<'stock'>, row: Row, isSum: boolean): void {
  if (onHand >= 0) return
  if (isSum)
    throw new BadValue('on_hand', `of all rows of the pair is ${onHand}: must not be negative`)
  row.units('on_hand')
}

/** What is on order counts, though nobody knows when it comes. */
export const toOpenOrder = mapperOf<'openOrders', Row>(
  {
    ...FIELDS.openOrders,
    due: (row, column) => row.dayIfReadable(column),
    orderedOn: (row, column) => row.dayIfReadable(column),
    confirmedOn: (row, column) => row.dayIfReadable(column),
  },
  ORDER,
)

/** A line of an order has one receipt a day; what was undone or sent back is negative. */
export function toReceipt(row: Row): RecordOf<'receipts'> {
  const line = row.code('line')
  const receivedOn = row.day('received_on')
  return {
    document: row.code('order'),
    receipt: `${line}/${receivedOn}`,
    line,
    sku: row.code('sku'),
    location: row.code('location'),
    supplier: row.codeOrNull('supplier'),
    orderedOn: row.dayOrNull('ordered_on'),
    due: row.dayOrNull('due'),
    receivedOn,
    quantity: row.quantity('quantity'),
    reference: row.codeOrNull('reference'),
    draft: row.longCodeOrNull('draft'),
    unitCost: row.moneyOrNull('unit_cost'),
  }
}

const batchOf = mapperOf<'batches'>(FIELDS.batches)

/** A batch without a last day does not expire: it says nothing. */
export function toBatch(row: Row): RecordOf<'batches'> | null {
  const quantity = row.units('quantity')
  return row.dayOrNull('expires_on') === null ? null : { ...batchOf(row), quantity }
}

const priceBreakOf = mapperOf<'priceBreaks'>(FIELDS.priceBreaks)

export function toPriceBreak(row: Row): RecordOf<'priceBreaks'> {
  if (row.units('from_quantity') === 0) throw new BadValue('from_quantity', 'must be above 0')
  return priceBreakOf(row)
}

const supplierTermsOf = mapperOf<'supplierTerms'>(FIELDS.supplierTerms)

export function toSupplierTerms(row: Row): RecordOf<'supplierTerms'> {
  const freeFreightFrom = row.moneyOrNull('free_freight_from')
  const freightCost = row.moneyOrNull('freight_cost')
  if ((freeFreightFrom === null) !== (freightCost === null)) {
    const missing = freightCost === null ? 'freight_cost' : 'free_freight_from'
    const rule = 'is empty: freight is free from an amount, and costs something below'
    throw new BadValue(missing, rule)
  }
  return supplierTermsOf(row)
}

export const RATE_COLUMNS = { fromCurrency: 'from', toCurrency: 'to' }
const exchangeRateOf = mapperOf<'exchangeRates'>(FIELDS.exchangeRates, RATE_COLUMNS)

export function toExchangeRate(row: Row): RecordOf<'exchangeRates'> {
  if (row.currency('from') === row.currency('to'))
    throw new BadValue('to', 'must be another currency than from')
  return exchangeRateOf(row)
}

/** The columns of a file of forecasts that says first and last days instead of months. */
export const BY_DATES = ['sku', 'location', 'from', 'quantity']

export function toErpForecast(row: Row): RecordOf<'erpForecasts'> {
  const pair = { sku: row.code('sku'), location: row.code('location') }
  const { firstDay, lastDay } = row.has('month') ? row.month('month') : daysOf(row)
  if (!isPeriod(firstDay, lastDay))
    throw new BadValue('to', `must lie within ${MAX_PERIOD_DAYS} days from from on`)
  return { ...pair, firstDay, lastDay, quantity: row.units('quantity') }
}

/** From the first to the last day, which is the first one unless given. */
function daysOf(row: Row) {
  const firstDay = row.demandDay('from')
  const lastDay = row.dayOrNull('to') === null ? firstDay : row.demandDay('to')
  if (lastDay < firstDay) throw new BadValue('to', 'must not lie before from')
  return { firstDay, lastDay }
}

/** The columns of a file of plans that has a row for each day with a promotion. */
export const BY_DAY = ['sku', 'location', 'date', 'promo']

type PlannedEvent = RecordOf<'plannedEvents'>

/** Of the rows of a day without a promotion one tells that it is known: a promotion of no effect, for all. */
export function plannedEventMapper() {
  const quiet = new Set<string>()
  return (row: Row): PlannedEvent | null => {
    if (row.has('kind')) return ofRange(row)
    const event = ofDay(row)
    if (event.factor === null) return event
    if (quiet.has(event.firstDay)) return null
    quiet.add(event.firstDay)
    return event
  }
}

function ofDay(row: Row): PlannedEvent {
  const pair = { sku: row.code('sku'), location: row.code('location') }
  const day = row.demandDay('date')
  const about = row.flagOrNull('promo')
    ? { ...pair, factor: null }
    : { sku: '', location: '', factor: 1 }
  return {
    kind: 'promotion',
    name: '',
    skuGroup: '',
    firstDay: day,
    lastDay: day,
    price: null,
    ...about,
  }
}

function ofRange(row: Row): PlannedEvent {
  const kind = row.oneOf('kind', PLAN_KINDS)
  const { firstDay, lastDay } = daysOf(row)
  const factor = row.factorOrNull('factor')
  const price = row.priceIfReadable('price')
  if (kind === 'closure' && factor !== null)
    throw new BadValue('factor', 'must be empty for a closure, which leaves no demand')
  return {
    kind,
    sku: row.codeOrAll('sku'),
    location: row.codeOrAll('location'),
    skuGroup: row.codeOrAll('group'),
    name: row.nameOrNull('name') ?? '',
    firstDay,
    lastDay,
    factor,
    price,
  }
}
