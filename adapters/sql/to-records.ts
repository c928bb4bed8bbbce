// Records of views that are more than their columns one by one.
import { isPeriod, MAX_PERIOD_DAYS, PLAN_KINDS, type RecordOf } from '../records.ts'
import { type Fields, mapperOf } from '../rows/columns.ts'
import { BadValue } from '../rows/values.ts'
import type { Row } from './row.ts'

/** The longest number of a document line that can be stored. */
const MAX_ID = 60

/** A document line; the total of a day where the view has no `id`. */
export function toDemand(row: Row): RecordOf<'demand'> {
  const document = row.codeOrNull('id', MAX_ID)
  const reversalOf = row.codeOrNull('reversal_of', MAX_ID)
  return {
    sku: row.code('sku'),
    location: row.code('location'),
    date: row.demandDay('day'),
    quantity: row.quantity('quantity'),
    price: row.unitsOrNull('price'),
    promo: row.flagOrNull('promo'),
    ...(document !== null && { document }),
    ...(document !== null && reversalOf !== null && { reversalOf }),
  }
}

/** Stock below zero is none on hand, and backorders. */
export function toStock(row: Row): RecordOf<'stock'> {
  const onHand = row.quantity('on_hand')
  const owed = Math.max(0, -onHand) + (row.unitsOrNull('backorders') ?? 0)
  return {
    sku: row.code('sku'),
    location: row.code('location'),
    onHand: Math.max(0, onHand),
    ...(owed > 0 && { backorders: owed }),
    inInspection: row.unitsOrNull('in_inspection') ?? 0,
    blocked: row.unitsOrNull('blocked') ?? 0,
    inTransit: row.unitsOrNull('in_transit') ?? 0,
  }
}

export const RECEIPT: Fields<'receipts', Row> = {
  document: 'code',
  receipt: (row, column) => row.code(column, 210),
  line: 'code',
  sku: 'code',
  location: 'code',
  supplier: 'codeOrNull',
  orderedOn: 'dayOrNull',
  due: 'dayOrNull',
  receivedOn: 'day',
  quantity: (row, column) => row.quantity(column),
  reference: 'codeOrNull',
  draft: 'longCodeOrNull',
  unitCost: 'moneyOrNull',
}

export const PLANNED_EVENT: Fields<'plannedEvents', Row> = {
  kind: (row, column) => row.oneOf(column, PLAN_KINDS),
  sku: 'codeOrAll',
  location: 'codeOrAll',
  skuGroup: 'codeOrAll',
  name: 'nameOrAll',
  firstDay: 'demandDay',
  lastDay: 'demandDay',
  factor: 'factorOrNull',
  price: 'unitsOrNull',
}

const plannedEventOf = mapperOf<'plannedEvents', Row>(PLANNED_EVENT)

export function toPlannedEvent(row: Row): RecordOf<'plannedEvents'> {
  const [firstDay, lastDay] = [row.demandDay('first_day'), row.demandDay('last_day')]
  if (lastDay < firstDay) throw new BadValue('last_day', 'must not lie before first_day')
  return plannedEventOf(row)
}

export const FORECAST: Fields<'erpForecasts', Row> = {
  sku: 'code',
  location: 'code',
  firstDay: 'demandDay',
  lastDay: 'demandDay',
  quantity: 'units',
}

const forecastOf = mapperOf<'erpForecasts', Row>(FORECAST)

export function toErpForecast(row: Row): RecordOf<'erpForecasts'> {
  if (!isPeriod(row.demandDay('first_day'), row.demandDay('last_day')))
    throw new BadValue('last_day', `must end a period of 1 to ${MAX_PERIOD_DAYS} days`)
  return forecastOf(row)
}
