import { MAX_UNIT_LENGTH, type RecordOf } from '../records.ts'
import {
  BadValue,
  codeOf,
  codeOrNull,
  currencyOf,
  mapAbout,
  numberOf,
  unitsOf,
  wholeOf,
} from '../rows/values.ts'
import { divideExactly, type Exact, multiplyByRatio, ONE, toMoney } from '../rows/decimals.ts'
import type { ProductRow, SupplierInfoRow } from './entities.ts'
import type { VendorTerms } from './terms.ts'
import { isPurchasable } from './to-sku.ts'
import { idOf, quantityOf, textOf, type Units, unitsPer } from './values.ts'

export interface PlanningInput {
  row: ProductRow
  sku: string
  location: string
  terms: VendorTerms | undefined
  /** The code of the vendor. */
  supplier: string | null
  /** Of the order point of the pair, where it has one. */
  multiple: number | false | undefined
}

export const toPlanning = (input: PlanningInput, units: Units): RecordOf<'planning'> =>
  mapAbout(input.sku, input.location, () => planningOf(input, units))

function planningOf(
  { row, sku, location, terms, supplier, multiple }: PlanningInput,
  units: Units,
): RecordOf<'planning'> {
  const [first] = terms?.lines ?? []
  const factor = first ? orderUnit(row, first, units) : ONE
  const least = first ? quantityOf(first.min_qty, 'min_qty') : 0n
  const price = first ? priceOf(first, factor) : null
  const rounding = quantityOf(multiple, 'qty_multiple')
  const lot = rounding > 0n ? rounding : factor
  return {
    sku: codeOf(sku, 'default_code'),
    location,
    leadTimeDays: first ? wholeOf(first.delay || 0, 'delay') : null,
    reviewPeriodDays: null,
    moq: least > 0n ? numberOf(multiplyByRatio(least, factor, ONE), 'min_qty') : null,
    lotSize: lot > ONE ? numberOf(lot, 'qty_multiple') : null,
    supplier,
    unitCost: price,
    currency: price && first?.currency_id ? currencyOf(first.currency_id[1], 'currency_id') : null,
    ...(first && orderTermsOf(row, first, units, factor)),
    purchasable: isPurchasable(row),
  }
}

/** The vendor's unit, its price and its number of the product. */
function orderTermsOf(row: ProductRow, line: SupplierInfoRow, units: Units, factor: Exact) {
  const orderUnit = units.nameOf(unitOf(row, line))
  return {
    orderUnit: orderUnit && orderUnit.length <= MAX_UNIT_LENGTH ? orderUnit : null,
    unitsPerOrderUnit: numberOf(factor, 'product_uom'),
    orderPrice: priceOf(line, ONE),
    supplierSku: codeOrNull(textOf(line.product_code), 'product_code'),
  }
}

const unitOf = (row: ProductRow, line: SupplierInfoRow) =>
  idOf(line.product_uom_id || line.product_uom || row.uom_po_id || row.uom_id)

/** Base units of the unit in which a vendor's quantities and prices are. */
export function orderUnit(row: ProductRow, line: SupplierInfoRow, units: Units): Exact {
  return unitsPer(units, unitOf(row, line), idOf(row.uom_id))
}

const HUNDRED = 100n * ONE

/** What a base unit costs, with the vendor's discount; null for a price of 0, which is none. */
export function priceOf(line: SupplierInfoRow, factor: Exact): string | null {
  const price = unitsOf(line.price || 0, 'price')
  const discount = quantityOf(line.discount, 'discount')
  if (discount > HUNDRED) throw new BadValue('discount', 'must be at most 100')
  if (price === 0n || factor === 0n) return null
  return toMoney(divideExactly(multiplyByRatio(price, HUNDRED - discount, HUNDRED), factor))
}
