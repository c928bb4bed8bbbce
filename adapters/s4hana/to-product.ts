import { MAX_UNIT_LENGTH, type RecordOf } from '../records.ts'
import { divideExactly, type Exact, toMoney } from '../rows/decimals.ts'
import {
  type BadValue,
  codeOf,
  codeOrNull,
  currencyOf,
  mapAbout,
  nameOf,
  numberOf,
  unitsOf,
} from '../rows/values.ts'
import type { DescriptionRow, ProductRow, ValuationRow } from './entities.ts'

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

/** SAP's stock types by use; others are ignored. */
const TYPES = {
  onHand: ['01'],
  inInspection: ['02'],
  blocked: ['07'],
  /** Sent by a transport order, whose open item says it too. What no order says (04, 05) is in `in-transfer.ts`. */
  inTransit: ['06'],
} as const

/** Stock of one pair, summed over its storage locations and batches. */
export interface PairStock {
  sku: string
  location: string
  byType: Map<string, Exact>
  problem: BadValue | null
}

/** Negative unrestricted stock, where more was posted out than in, is none on hand, and backorders. */
export const toStock = (pair: PairStock): RecordOf<'stock'> =>
  mapAbout(pair.sku, pair.location, () => stockOf(pair))

function stockOf({ sku, location, byType, problem }: PairStock): RecordOf<'stock'> {
  if (problem) throw problem
  const netOf = (types: readonly string[]) => {
    const sum = types.reduce((total, type) => total + (byType.get(type) ?? 0n), 0n)
    return numberOf(sum, 'MatlWrhsStkQtyInMatlBaseUnit')
  }
  const sumOf = (types: readonly string[]) => Math.max(0, netOf(types))
  const onHand = netOf(TYPES.onHand)
  return {
    sku: codeOf(sku, 'Material'),
    location: codeOf(location, 'Plant'),
    onHand: Math.max(0, onHand),
    ...(onHand < 0 && { backorders: -onHand }),
    inInspection: sumOf(TYPES.inInspection),
    blocked: sumOf(TYPES.blocked),
    inTransit: sumOf(TYPES.inTransit),
  }
}
