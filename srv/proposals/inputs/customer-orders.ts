import { byText } from '../../../engine/index.ts'
import { type CustomerOrder, withoutNoise } from '../../../engine/proposal/index.ts'
import { CurrentCustomerOrders, CurrentReservations, readAs } from '../../store/entities.ts'
import { amongPairs, type Pair, pairKey } from '../pair.ts'

/** What is wanted of pairs by day, and not delivered or withdrawn yet. */
export interface OrdersOfPairs {
  of(pair: Pair): readonly CustomerOrder[]
}

interface Row extends Pair {
  due: string | null
  quantity: number
}

const NONE: readonly CustomerOrder[] = []

/** Reads the customer orders of a source, or of some of its pairs, once for all of them. */
export const readCustomerOrders = (
  source: number,
  pairs?: readonly Pair[],
): Promise<OrdersOfPairs> => readOrders(CurrentCustomerOrders, source, pairs)

/** Reads what production, projects and cost centres have reserved, likewise. */
export const readReservations = (source: number, pairs?: readonly Pair[]): Promise<OrdersOfPairs> =>
  readOrders(CurrentReservations, source, pairs)

async function readOrders(
  entity: typeof CurrentCustomerOrders | typeof CurrentReservations,
  source: number,
  pairs?: readonly Pair[],
): Promise<OrdersOfPairs> {
  const rows = await readAs<Row>(
    SELECT.from(entity)
      .columns('sku', 'location', 'due', 'sum(quantity) as quantity')
      .where({ source_ID: source, ...amongPairs(pairs) })
      .groupBy('sku', 'location', 'due'),
  )
  const byPair = Map.groupBy(rows, pairKey)
  return { of: (pair) => byPair.get(pairKey(pair))?.map(toOrder).sort(byDay) ?? NONE }
}

/** Databases add up fractions in any order: what this changes is cut off. */
const toOrder = ({ due, quantity }: Row): CustomerOrder => ({
  date: due,
  quantity: withoutNoise(Number(quantity)),
})

const byDay = (a: CustomerOrder, b: CustomerOrder) => byText(a.date ?? '', b.date ?? '')
