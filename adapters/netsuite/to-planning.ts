import { MAX_UNIT_LENGTH, type RecordOf } from '../records.ts'
import { divideExactly, type Exact, ONE, toMoney } from '../rows/decimals.ts'
import {
  BadValue,
  codeOrNull,
  currencyOf,
  mapAbout,
  MAX_DAYS,
  numberOf,
  wholeOf,
} from '../rows/values.ts'
import type { PairCodes, Units } from './account-facts.ts'
import { amountOf } from './values.ts'
import type { ItemVendorRow, PlanningRow } from './queries.ts'

export interface PlanningContext {
  codes: PairCodes
  units: Units
  /** The account's own currency, in which items have their purchase price. */
  currency: string | null
  /** The preferred vendors by item. */
  vendors: ReadonlyMap<string, ItemVendorRow[]>
}

export function toPlanning(row: PlanningRow, context: PlanningContext): RecordOf<'planning'> {
  const pair = context.codes(row)
  return mapAbout(pair.sku, pair.location, () => {
    const vendor = vendorOf(context.vendors.get(row.item) ?? [])
    const rate = rateOf(row, context.units)
    return {
      ...pair,
      leadTimeDays: leadTimeOf(row),
      reviewPeriodDays: null,
      moq: null,
      lotSize: lotSizeOf(row, rate),
      supplier: codeOrNull(vendor?.entityid, 'entityid'),
      ...costOf(row, vendor, rate, context.currency),
      ...orderUnitOf(row, context.units, rate),
      supplierSku: codeOrNull(vendor?.vendorcode, 'vendorcode'),
      // An assembly is made in house unless somebody sells it.
      purchasable: row.isinactive !== 'T' && (row.itemtype !== 'Assembly' || vendor !== undefined),
    }
  })
}

/** With several, one for each subsidiary, the first that is not inactive. */
const vendorOf = (vendors: readonly ItemVendorRow[]) =>
  vendors.find(({ inactive }) => inactive !== 'T')

/** Null where none is maintained, at the location or for the item. */
function leadTimeOf(row: PlanningRow): number | null {
  const text = row.leadtime ?? row.itemleadtime
  if (text === undefined) return null
  const days = wholeOf(text, 'leadtime')
  if (days > MAX_DAYS) throw new BadValue('leadtime', `must be at most ${MAX_DAYS} days`)
  return days
}

/** Base units in a purchase unit; null where that is not known. */
function rateOf({ purchaseunit }: PlanningRow, { byId }: Units): Exact | null {
  if (purchaseunit === undefined) return ONE
  const unit = byId.get(purchaseunit)
  return unit && unit.rate > 0n ? unit.rate : null
}

/** Null where the item has no unit of its own to be bought in. */
function orderUnitOf({ purchaseunit }: PlanningRow, { byId }: Units, rate: Exact | null) {
  const name = purchaseunit === undefined ? '' : (byId.get(purchaseunit)?.name ?? '')
  if (!name || name.length > MAX_UNIT_LENGTH || rate === null) return {}
  return { orderUnit: name, unitsPerOrderUnit: numberOf(rate, 'conversionrate') }
}

/** Half a purchase unit cannot be ordered. */
function lotSizeOf(row: PlanningRow, rate: Exact | null): number | null {
  const multiple = amountOf(row.reordermultiple, 'reordermultiple')
  if (multiple > 0n) return numberOf(multiple, 'reordermultiple')
  return rate === null || rate === ONE ? null : numberOf(rate, 'conversionrate')
}

/** Prices are for a purchase unit: the vendor's in its currency, or else the item's in the account's. */
function costOf(
  row: PlanningRow,
  vendor: ItemVendorRow | undefined,
  rate: Exact | null,
  ownCurrency: string | null,
) {
  const none = { unitCost: null, currency: null }
  if (rate === null) return none
  const agreed = amountOf(vendor?.purchaseprice, 'purchaseprice')
  const price = agreed > 0n ? agreed : amountOf(row.cost, 'cost')
  if (price === 0n) return none
  const currency = agreed > 0n ? currencyOf(vendor?.currency, 'currency') : ownCurrency
  return { unitCost: toMoney(divideExactly(price, rate)), orderPrice: toMoney(price), currency }
}
