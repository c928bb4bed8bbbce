// What purchase orders had promised whose goods have come: headers, and the day on which half of an item is due.
import { Stretches } from '../../odata/stretches.ts'
import { dayOrNull } from '../../rows/values.ts'
import type { OrderHeaderRow, ScheduleLineRow } from '../entities.ts'
import type { System } from '../system.ts'
import {
  HEADERS,
  itemKey,
  type OrderHeader,
  readHeaders,
  readScheduleLines,
  toHeader,
} from './lines.ts'
import type { DueDays } from './to-receipt.ts'
import { SCHEDULE_LINES_V2 } from './v2.ts'
import { SCHEDULE_LINES_V4 } from './v4.ts'

export interface Promises {
  headers: ReadonlyMap<string, OrderHeader>
  dueDays: DueDays
}

export type ReadPromises = (orders: ReadonlySet<string>, signal: AbortSignal) => Promise<Promises>

const linesOf = { v2: SCHEDULE_LINES_V2, v4: SCHEDULE_LINES_V4 }

/** Of few orders: asked for by their numbers. */
export const promisesByName =
  (system: System, version: 'v2' | 'v4'): ReadPromises =>
  async (orders, signal) => {
    const [headers, lines] = await Promise.all([
      readHeaders(system, version, orders, signal),
      readScheduleLines<ScheduleLineRow>(system, linesOf[version], orders, signal),
    ])
    return { headers, dueDays: (order, item) => dueDayOf(lines.get(itemKey(order, item)) ?? []) }
  }

/** Of most orders, one after the other: stretches of both lists are kept for the length of the read. */
export function promisesInStretches(system: System, version: 'v2' | 'v4'): ReadPromises {
  const query = linesOf[version]
  const itemField = query.key[1] as keyof ScheduleLineRow
  const headersOf = new Stretches<OrderHeaderRow, OrderHeader>(system, HEADERS[version], (rows) =>
    toHeader(rows[0]!),
  )
  const daysOf = new Stretches<ScheduleLineRow, string>(system, query, (rows) =>
    [...Map.groupBy(rows, (row) => row[itemField])]
      .map(([item, lines]) => `${item} ${dueDayOf(lines) ?? ''}\n`)
      .join(''),
  )
  return async (orders, signal) => {
    const [headers, days] = await Promise.all([
      headersOf.of(orders, signal),
      daysOf.of(orders, signal),
    ])
    return { headers, dueDays: (order, item) => dayIn(days.get(order) ?? '', item) }
  }
}

/** The day of an item among the packed ones of its order. */
function dayIn(days: string, item: string): string | null {
  const line = days.split('\n').find((each) => each.startsWith(`${item} `))
  return line?.slice(item.length + 1) || null
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
