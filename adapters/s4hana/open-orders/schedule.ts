import type { System } from '../system.ts'
import { itemKey } from './items.ts'
import type { Query } from '../../odata/query.ts'

/** The schedule lines of the orders, by `order/item`, sorted by line number. */
export async function readScheduleLines<Row extends { ScheduleLine: string }>(
  system: System,
  query: Omit<Query, 'top'>,
  numbers: Iterable<string>,
  signal: AbortSignal,
): Promise<Map<string, Row[]>> {
  const [orderField, itemField] = query.key as [keyof Row, keyof Row]
  const orders = new Set(numbers)
  const lines = new Map<string, Row[]>()
  for (const row of await system.allOf<Row>(query, orderField as string, orders, signal)) {
    const order = String(row[orderField])
    if (!orders.has(order)) continue
    const key = itemKey(order, String(row[itemField]))
    const known = lines.get(key)
    if (known) known.push(row)
    else lines.set(key, [row])
  }
  return lines
}
