import { dayText } from '../world/days.ts'
import { openBySchedule } from '../world/order.ts'
import type { World } from '../world/world.ts'

export interface OpenOrderTruth {
  order: string
  item: string
  /** Number of the schedule line. */
  scheduleLine: string
  /** Open quantity in base units. */
  quantity: number
  due: string
  /** Reference text of the whole order; null where empty. */
  reference: string | null
}

/** Open order lines, including overdue ones, by `sku\nlocation`. */
export function openOrderTruth(world: World): Map<string, OpenOrderTruth[]> {
  const byPair = new Map<string, OpenOrderTruth[]>()
  const count = world.orders.count()
  for (let index = 0; index < count; index++) {
    const order = world.orders.at(index)
    if (order.deletion) continue
    for (const line of order.lines) {
      if (line.isCompleted || line.deletion || line.isReturn || line.account) continue
      for (const [i, open] of openBySchedule(line).entries()) {
        if (Math.round(open * line.factor) <= 0) continue
        const key = `${line.sku}\n${line.plant}`
        const entry: OpenOrderTruth = {
          order: order.number,
          item: line.item,
          scheduleLine: String(i + 1).padStart(4, '0'),
          quantity: Math.round(open * line.factor) / 1000,
          due: dayText(line.schedule[i]!.due),
          reference: order.reference ?? null,
        }
        const known = byPair.get(key)
        if (known) known.push(entry)
        else byPair.set(key, [entry])
      }
    }
  }
  return byPair
}
