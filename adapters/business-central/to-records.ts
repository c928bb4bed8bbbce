import type { RecordOf } from '../records.ts'
import { toMoney } from '../rows/decimals.ts'
import {
  codeOf,
  codeOrNull,
  demandDayOf,
  exactOf,
  type Field,
  mapAbout,
  nameOf,
  numberOf,
  unitsOf,
} from '../rows/values.ts'
import type {
  ItemCardRow,
  ItemRow,
  LedgerRow,
  PlanningFields,
  StockkeepingUnitRow,
} from './entities.ts'
import type { BusinessCentralOptions } from './options.ts'
import { choiceOf, dayOrNone, formulaDaysOf } from './values.ts'

/** Null for services and what is not kept in stock. @param currency of the company */
export function toSku(row: ItemRow, currency: string | null): RecordOf<'skus'> | null {
  if (choiceOf(row.type) !== 'Inventory') return null
  const cost = unitsOf(row.unitCost, 'unitCost')
  return {
    sku: codeOf(row.number, 'number'),
    identity: codeOrNull(row.id, 'id', 60),
    name: nameOf(row.displayName),
    unit: codeOrNull(row.baseUnitOfMeasureCode, 'baseUnitOfMeasureCode', 20),
    supplier: null,
    unitCost: cost > 0n ? toMoney(cost) : null,
    currency: cost > 0n ? currency : null,
    skuGroup: codeOrNull(row.itemCategoryCode, 'itemCategoryCode'),
    purchasable: row.blocked !== true,
  }
}

const TYPES: Record<BusinessCentralOptions['demand'], ReadonlySet<string>> = {
  sales: new Set(['Sale']),
  sales_and_consumption: new Set(['Sale', 'Consumption', 'Assembly Consumption']),
}

/** What leaves a location by a transfer order; its arrival and rebookings by journals have other documents. */
const SENT = new Set(['Transfer Shipment', 'Direct Transfer'])

/** What goes to another location on an order has two entries: one where it leaves, and one that adds it where it is meanwhile. */
const isSent = ({ entryType, documentType, quantity }: LedgerRow) =>
  choiceOf(entryType) === 'Transfer' &&
  SENT.has(choiceOf(documentType)) &&
  exactOf(quantity, 'quantity') < 0n

/** What has left the stock; returns are negative. Null for entries that are no demand. */
export function toDemand(
  row: LedgerRow,
  { demand, transfer_demand: isTransferDemand, blank_location: blank }: BusinessCentralOptions,
): RecordOf<'demand'> | null {
  const isDemand = TYPES[demand].has(choiceOf(row.entryType)) || (isTransferDemand && isSent(row))
  if (!isDemand) return null
  return mapAbout(row.itemNo, row.locationCode || blank, () => {
    const quantity = -exactOf(row.quantity, 'quantity')
    if (quantity === 0n) return null
    return {
      sku: codeOf(row.itemNo, 'itemNo'),
      location: codeOf(row.locationCode || blank, 'locationCode'),
      date: demandDayOf(dayOrNone(row.postingDate, 'postingDate'), 'postingDate'),
      quantity: numberOf(quantity, 'quantity'),
      price: null,
      promo: null,
      document: String(row.entryNo),
    }
  })
}

/** @param unit what the stockkeeping unit of the location says; it holds instead of the item's card */
export const toPlanning = (
  card: ItemCardRow,
  location: string,
  unit: StockkeepingUnitRow | undefined,
): RecordOf<'planning'> =>
  mapAbout(card.No, location, () => {
    const from: PlanningFields = unit ?? card
    const system = choiceOf(from.Replenishment_System)
    return {
      sku: codeOf(card.No, 'No'),
      location: codeOf(location, 'Location_Code'),
      leadTimeDays: formulaDaysOf(from.Lead_Time_Calculation, 'Lead_Time_Calculation'),
      reviewPeriodDays: null,
      moq: positiveOrNull(from.Minimum_Order_Quantity, 'Minimum_Order_Quantity'),
      lotSize: positiveOrNull(from.Order_Multiple, 'Order_Multiple'),
      supplier: codeOrNull(from.Vendor_No, 'Vendor_No'),
      unitCost: null,
      currency: null,
      purchasable:
        card.Blocked !== true &&
        card.Purchasing_Blocked !== true &&
        (system === '' || system === 'Purchase'),
    }
  })

/** 0 is what an empty field says. */
function positiveOrNull(value: Field, field: string): number | null {
  const units = unitsOf(value, field)
  return units > 0n ? numberOf(units, field) : null
}
