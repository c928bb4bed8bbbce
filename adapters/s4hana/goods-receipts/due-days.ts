import type { ScheduleLineRow } from '../entities.ts'
import { itemKey } from '../open-orders/items.ts'
import { readScheduleLines } from '../open-orders/schedule.ts'
import { SCHEDULE_LINES_V2 } from '../open-orders/v2.ts'
import { SCHEDULE_LINES_V4 } from '../open-orders/v4.ts'
import { dayOrNull } from '../../rows/days.ts'
import type { System } from '../system.ts'

/** The promised day of an order item; null where it has none. */
export type DueDays = (order: string, item: string) => string | null

export async function readDueDays(
  system: System,
  version: 'v2' | 'v4',
  orders: Iterable<string>,
  signal: AbortSignal,
): Promise<DueDays> {
  const query = version === 'v2' ? SCHEDULE_LINES_V2 : SCHEDULE_LINES_V4
  const lines = await readScheduleLines<ScheduleLineRow>(system, query, orders, signal)
  return (order, item) => dueDayOf(lines.get(itemKey(order, item)) ?? [])
}

/** The day on which half of the item's quantity is due. */
function dueDayOf(lines: readonly ScheduleLineRow[]): string | null {
  const due = lines
    .map((line) => ({
      day: dayOrNull(line.ScheduleLineDeliveryDate),
      quantity: Number(line.ScheduleLineOrderQuantity) || 0,
    }))
    .filter((line): line is { day: string; quantity: number } => line.day !== null)
    .sort((a, b) => (a.day < b.day ? -1 : 1))
  const half = due.reduce((sum, { quantity }) => sum + quantity, 0) / 2
  let sum = 0
  return due.find(({ quantity }) => (sum += quantity) >= half)?.day ?? null
}
