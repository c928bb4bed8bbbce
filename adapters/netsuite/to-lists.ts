import { isRate, MAX_UNIT_LENGTH, type RecordOf } from '../records.ts'
import { toMoney } from '../rows/decimals.ts'
import {
  BadValue,
  codeOf,
  currencyOf,
  dayOf,
  demandDayOf,
  mapAbout,
  nameOf,
  numberOf,
} from '../rows/values.ts'
import { nameOfLocation, type PairCodes, type Units } from './account-facts.ts'
import type { BatchRow, ItemRow, LocationRow, RateRow, StockRow, VendorRow } from './queries.ts'
import { amountOf, movedOf, withZero } from './values.ts'

export const toLocation = (row: LocationRow, code: string | undefined): RecordOf<'locations'> => ({
  location: codeOf(code, 'name'),
  name: nameOf(nameOfLocation(row)),
})

export const toSupplier = (row: VendorRow): RecordOf<'suppliers'> => ({
  supplier: codeOf(row.entityid, 'entityid'),
  name: nameOf(row.companyname) ?? nameOf(row.entityid),
})

export interface ItemContext {
  code: (name: string, id: string) => string
  units: Units
  currency: string | null
}

export function toSku(row: ItemRow, { code, units, currency }: ItemContext): RecordOf<'skus'> {
  const cost = amountOf(row.averagecost, 'averagecost')
  return {
    sku: codeOf(code(codeOf(row.itemid, 'itemid'), row.id), 'itemid'),
    identity: row.id,
    name: nameOf(row.displayname) ?? nameOf(row.itemid),
    unit: unitOf(units.baseNames.get(row.unitstype ?? '')),
    supplier: null,
    unitCost: cost > 0n ? toMoney(cost) : null,
    currency: cost > 0n ? currency : null,
    purchasable: row.isinactive !== 'T',
  }
}

const unitOf = (name: string | undefined) => (name && name.length <= MAX_UNIT_LENGTH ? name : null)

/** Less than no stock is none, and backorders. */
export function toStock(row: StockRow, codes: PairCodes): RecordOf<'stock'> {
  const pair = codes(row)
  return mapAbout(pair.sku, pair.location, () => {
    const onHand = numberOf(movedOf(row.onhand, 'quantityonhand'), 'quantityonhand')
    const inTransit = numberOf(amountOf(row.intransit, 'quantityintransit'), 'quantityintransit')
    return {
      ...pair,
      onHand: Math.max(0, onHand),
      ...(onHand < 0 && { backorders: -onHand }),
      ...(row.intransit !== undefined && { inTransit }),
    }
  })
}

/** A lot that expires, at one location. */
export function toBatch(row: BatchRow, codes: PairCodes): RecordOf<'batches'> {
  const pair = codes(row)
  return mapAbout(pair.sku, pair.location, () => ({
    ...pair,
    batch: codeOf(row.name, 'inventorynumber'),
    expiresOn: demandDayOf(dayOf(row.expires, 'expirationdate'), 'expirationdate'),
    quantity: numberOf(amountOf(row.onhand, 'quantityonhand'), 'quantityonhand'),
  }))
}

/** What a unit of the foreign currency is worth in the base one. */
export function toExchangeRate(row: RateRow): RecordOf<'exchangeRates'> | null {
  const from = currencyOf(codeOf(row.fromcurrency, 'symbol'), 'symbol')!
  const to = currencyOf(codeOf(row.tocurrency, 'symbol'), 'symbol')!
  if (from === to) return null
  const rate = String(withZero(row.rate) ?? '')
  if (!isRate(rate)) throw new BadValue('exchangerate', 'must be a decimal number above 0')
  const validFrom = demandDayOf(dayOf(row.day, 'effectivedate'), 'effectivedate')
  return { fromCurrency: from, toCurrency: to, validFrom, rate }
}
