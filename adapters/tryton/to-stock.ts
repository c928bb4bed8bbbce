import type { RecordOf } from '../records.ts'
import type { Exact } from '../rows/decimals.ts'
import { codeOf, mapAbout, numberOf } from '../rows/values.ts'
export interface PairQuantity {
  sku: string
  location: string
  quantity: Exact
}

export const toStock = ({ sku, location, quantity }: PairQuantity): RecordOf<'stock'> =>
  mapAbout(sku, location, () => ({
    sku: codeOf(sku, 'code'),
    location: codeOf(location, 'code'),
    onHand: quantity > 0n ? numberOf(quantity, 'quantity') : 0,
    backorders: quantity < 0n ? numberOf(-quantity, 'quantity') : 0,
  }))
