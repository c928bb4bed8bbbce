import type { RecordOf } from '../records.ts'
import { divideExactly, toMoney } from '../rows/decimals.ts'
import type { DescriptionRow, ProductRow, ValuationRow } from './entities.ts'
import { mapAbout } from '../rows/bad-value.ts'
import { MAX_UNIT_LENGTH } from '../records.ts'
import { codeOf, codeOrNull, currencyOf, nameOf, unitsOf } from '../rows/values.ts'

/** @param valuations of the product, sorted by valuation area; the first one with a price is used */
export const toSku = (
  row: ProductRow,
  description: DescriptionRow | undefined,
  valuations: readonly ValuationRow[],
): RecordOf<'skus'> => mapAbout(row.Product, '', () => skuOf(row, description, valuations))

function skuOf(
  row: ProductRow,
  description: DescriptionRow | undefined,
  valuations: readonly ValuationRow[],
): RecordOf<'skus'> {
  const { unitCost, currency } = costOf(valuations)
  return {
    sku: codeOf(row.Product, 'Product'),
    name: nameOf(description?.ProductDescription),
    unit: codeOrNull(row.BaseUnit, 'BaseUnit', MAX_UNIT_LENGTH),
    supplier: null,
    unitCost,
    currency,
    skuGroup: codeOrNull(row.ProductGroup, 'ProductGroup'),
    purchasable: row.IsMarkedForDeletion !== true,
  }
}

/** Valuation price per base unit: the standard price (procedure S) or the moving average price (V). */
function costOf(valuations: readonly ValuationRow[]) {
  for (const row of valuations) {
    if (row.IsMarkedForDeletion) continue
    const field =
      row.InventoryValuationProcedure === 'S' ? 'StandardPrice' : ('MovingAveragePrice' as const)
    const price = unitsOf(row[field], field)
    const per = unitsOf(row.PriceUnitQty, 'PriceUnitQty')
    if (price === 0n || per === 0n) continue
    const currency = currencyOf(row.Currency, 'Currency')
    return { unitCost: toMoney(divideExactly(price, per)), currency }
  }
  return { unitCost: null, currency: null }
}
