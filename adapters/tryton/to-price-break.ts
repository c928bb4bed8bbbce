import type { RecordOf } from '../records.ts'
import { mapAbout } from '../rows/bad-value.ts'
import { divideExactly, multiplyByRatio, ONE, toMoney } from '../rows/decimals.ts'
import { codeOf, emptyValue, numberOf } from '../rows/values.ts'
import type { PriceRow, ProductRow } from './entities.ts'
import type { SupplierTerms } from './terms.ts'
import { orderUnit } from './to-planning.ts'
import { decimalOf, quantityOf } from './values.ts'

export const toPriceBreak = (
  row: ProductRow,
  { supplier }: SupplierTerms,
  price: PriceRow,
): RecordOf<'priceBreaks'> | null =>
  mapAbout(row.code, '', () => {
    const factor = orderUnit(row)
    const unitPrice = decimalOf(price.unit_price, 'unit_price')
    if (unitPrice === null) throw emptyValue('unit_price')
    const from = multiplyByRatio(quantityOf(price.quantity, 'quantity'), factor, ONE)
    if (from <= 0n) return null
    return {
      sku: codeOf(row.code, 'code'),
      location: '',
      supplier: codeOf(supplier['party.']?.code, 'party.code'),
      fromQuantity: numberOf(from, 'quantity'),
      unitCost: toMoney(divideExactly(unitPrice, factor)),
    }
  })
