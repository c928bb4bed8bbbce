import type { CustomerOrder } from '../../../engine/proposal/index.ts'
import { CurrentCustomerOrders, readAs } from '../../store/entities.ts'
import { type Pair, pairKey } from '../pair.ts'

/** What customers have ordered and not received, by pair and day. */
export interface OrdersOfPairs {
  of(pair: Pair): readonly CustomerOrder[]
}

interface Row extends Pair {
  due: string | null
  quantity: number
}

const NONE: readonly CustomerOrder[] = []

/** Reads the customer orders of a source, or of one of its pairs, once for a whole run. */
export async function readCustomerOrders(source: number, pair?: Pair): Promise<OrdersOfPairs> {
  const rows = await readAs<Row>(
    SELECT.from(CurrentCustomerOrders)
      .columns('sku', 'location', 'due', 'sum(quantity) as quantity')
      .where({ source_ID: source, ...(pair && { sku: pair.sku, location: pair.location }) })
      .groupBy('sku', 'location', 'due'),
  )
  const byPair = Map.groupBy(rows, pairKey)
  const toOrder = ({ due, quantity }: Row) => ({ date: due, quantity: Number(quantity) })
  return { of: (pair) => byPair.get(pairKey(pair))?.map(toOrder) ?? NONE }
}
