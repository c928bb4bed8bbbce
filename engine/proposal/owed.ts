import { withoutNoise } from '../inventory/position.ts'
import type { Units } from '../types.ts'
import { daysBetween } from './dates.ts'
import type { CustomerOrder, Receipt } from './input.ts'
import { datedDemand, GIVEN_UP_AFTER } from './situation.ts'

/** What is owed of a pair, and what there is for it. */
export interface Owed {
  /** Ordered by customers or reserved, and not delivered. */
  owed: Units
  onOrder: Units
  /** Owed beyond what is on hand and on order; 0 where that is enough. */
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
export function owedBeyondSupply({ onHand, receipts, orders }: Position, asOf: string): Owed {
  const { due, later } = datedDemand(orders, asOf)
  const owed = withoutNoise(later.reduce((sum, { quantity }) => sum + quantity, due))
  const onOrder = withoutNoise(
    receipts
      .filter(({ date }) => date === null || daysBetween(date, asOf) <= GIVEN_UP_AFTER)
      .reduce((sum, { quantity }) => sum + quantity, 0),
  )
  return { owed, onOrder, short: withoutNoise(Math.max(0, owed - (onHand ?? 0) - onOrder)) }
}
