import { withoutNoise } from '../inventory/position.ts'
import type { Units } from '../types.ts'
import { daysBetween } from './dates.ts'
import type { CustomerOrder, Receipt } from './input.ts'
import { datedDemand, GIVEN_UP_AFTER } from './situation.ts'

/** What customers and production wait for of a pair, and what there is for it. */
export interface FirmOrders {
  /** Ordered by customers or reserved, and not delivered. */
  ordered: Units
  onOrder: Units
  /** Ordered beyond what is on hand and on order; 0 where that is enough. */
  short: Units
}

interface Position {
  /** Null where nobody knows: then nothing is there to deliver from. */
  onHand: Units | null
  receipts: readonly Receipt[]
  /** Of customers and reservations. */
  orders: readonly CustomerOrder[]
}

/** What firm orders lack, whatever a forecast says: all that is known of a pair without one. */
export function firmOrdersOf({ onHand, receipts, orders }: Position, asOf: string): FirmOrders {
  const { due, later } = datedDemand(orders, asOf)
  const ordered = withoutNoise(later.reduce((sum, { quantity }) => sum + quantity, due))
  const onOrder = withoutNoise(
    receipts
      .filter(({ date }) => date === null || daysBetween(date, asOf) <= GIVEN_UP_AFTER)
      .reduce((sum, { quantity }) => sum + quantity, 0),
  )
  return { ordered, onOrder, short: withoutNoise(Math.max(0, ordered - (onHand ?? 0) - onOrder)) }
}
