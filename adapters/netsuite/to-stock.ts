import type { RecordOf } from '../records.ts'
import { mapAbout } from '../rows/bad-value.ts'
import { exactOf, numberOf, unitsOf } from '../rows/values.ts'
import { withZero } from './decimals.ts'
import type { PairCodes } from './pair-codes.ts'
import type { StockRow } from './queries.ts'

/** Less than no stock is none, and backorders. */
export function toStock(row: StockRow, codes: PairCodes): RecordOf<'stock'> {
  const pair = codes(row)
  return mapAbout(pair.sku, pair.location, () => {
    const onHand = numberOf(exactOf(withZero(row.onhand), 'quantityonhand'), 'quantityonhand')
    const inTransit = numberOf(
      unitsOf(withZero(row.intransit), 'quantityintransit'),
      'quantityintransit',
    )
    return {
      ...pair,
      onHand: Math.max(0, onHand),
      ...(onHand < 0 && { backorders: -onHand }),
      ...(row.intransit !== undefined && { inTransit }),
    }
  })
}
