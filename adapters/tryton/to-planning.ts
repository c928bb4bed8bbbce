import { MAX_UNIT_LENGTH, type RecordOf } from '../records.ts'
import type { Exact } from '../rows/decimals.ts'
import { divideExactly, multiplyByRatio, ONE, toExact, toMoney } from '../rows/decimals.ts'
import { codeOf, codeOrNull, currencyOf, emptyValue, mapAbout, numberOf } from '../rows/values.ts'
import type { PriceRow, ProductRow, UomRow } from './entities.ts'
import type { SupplierTerms } from './terms.ts'
import { isPurchasable } from './to-sku.ts'
import { daysOf, decimalOf, quantityOf } from './values.ts'

export const toPlanning = (
  row: ProductRow,
  sku: string,
  location: string,
  terms: SupplierTerms | undefined,
): RecordOf<'planning'> =>
  mapAbout(sku, location, () => {
    const party = terms?.supplier['party.']
    const factor = orderUnit(row)
    const step = orderStep(row, factor)
    const [first] = terms?.prices ?? []
    const price = first && decimalOf(first.unit_price, 'unit_price')
    const least = first && quantityOf(first.quantity, 'quantity')
    return {
      sku: codeOf(sku, 'code'),
      location,
      leadTimeDays:
        daysOf(terms?.supplier.lead_time, 'lead_time') ??
        daysOf(party?.supplier_lead_time, 'supplier_lead_time'),
      reviewPeriodDays: null,
      moq: least ? numberOf(multiplyByRatio(least, factor, ONE), 'quantity') : null,
      lotSize: step > ONE ? numberOf(step, 'purchase_uom') : null,
      supplier: codeOrNull(party?.code, 'party.code'),
      unitCost: price ? toMoney(divideExactly(price, factor)) : null,
      currency: price ? currencyOf(terms?.supplier['currency.']?.code, 'currency.code') : null,
      orderUnit: codeOrNull(
        (row['purchase_uom.'] ?? row['default_uom.'])?.symbol,
        'purchase_uom.symbol',
        MAX_UNIT_LENGTH,
      ),
      unitsPerOrderUnit: numberOf(factor, 'purchase_uom'),
      orderPrice: price ? toMoney(price) : null,
      supplierSku: codeOrNull(terms?.supplier.code, 'code'),
      purchasable: isPurchasable(row),
    }
  })

/** Base units of the unit in which a product is bought. */
function orderUnit({ 'default_uom.': base, 'purchase_uom.': bought }: ProductRow): Exact {
  if (!bought || !base) return ONE
  return divideExactly(factorOf(bought), factorOf(base)) || ONE
}

/** Base units of which orders are multiples: as fine as quantities in the unit of purchase may be. */
function orderStep({ 'purchase_uom.': bought }: ProductRow, factor: Exact): Exact {
  const rounding = toExact(bought?.rounding ?? 1) ?? ONE
  return multiplyByRatio(rounding > 0n ? rounding : ONE, factor, ONE)
}

/** Of the two numbers that Tryton keeps, the one above 1 is the accurate one. */
export function factorOf({ factor = 1, rate = 1 }: UomRow): Exact {
  const [exactFactor, exactRate] = [toExact(factor) ?? ONE, toExact(rate) ?? ONE]
  return exactFactor >= exactRate ? exactFactor : divideExactly(ONE, exactRate)
}

export const toPriceBreak = (
  row: ProductRow,
  sku: string,
  { supplier }: SupplierTerms,
  price: PriceRow,
): RecordOf<'priceBreaks'> | null =>
  mapAbout(sku, '', () => {
    const factor = orderUnit(row)
    const unitPrice = decimalOf(price.unit_price, 'unit_price')
    if (unitPrice === null) throw emptyValue('unit_price')
    const from = multiplyByRatio(quantityOf(price.quantity, 'quantity'), factor, ONE)
    if (from <= 0n) return null
    return {
      sku: codeOf(sku, 'code'),
      location: '',
      supplier: codeOf(supplier['party.']?.code, 'party.code'),
      fromQuantity: numberOf(from, 'quantity'),
      unitCost: toMoney(divideExactly(unitPrice, factor)),
    }
  })
