// Where the goods receipts of purchase orders lie among the items of material documents.
import { COURSES, EVENTS, eventsOf } from '../world/courses.ts'
import { yearOf } from '../world/days.ts'
import type { Interval, SlotRange } from '../odata/set.ts'
import type { World } from '../world/world.ts'

/** The slots that may contain items of these orders' numbers, both included, and of all that changes added. */
export function receiptSlots(world: World, [low, high]: Interval): SlotRange[] {
  if (low === null || low === '') return world.book.slots('items', -Infinity, Infinity)
  if (low === high) return [...addedSlots(world), ...slotsOfOrder(world, String(low))]
  const [from, to] = world.orders.receiptDays(String(low), high === null ? null : String(high))
  return world.book.slots('items', from, to, 'receiving')
}

const addedSlots = ({ book }: World) => book.slots('items', -Infinity, Infinity, 'added')

function slotsOfOrder({ book, orders: { calendar }, clock }: World, number: string): SlotRange[] {
  const index = calendar.indexOf(number)
  if (!(index >= 0 && index < calendar.count())) return []
  const { day, m, course } = calendar.placeOf(index)
  const { ledgers, items } = book.sums('receiving')
  const at = (m - calendar.ofCourse(day, course).first) / COURSES.length
  return eventsOf(course)
    .filter(({ after }) => day + after < clock.today())
    .map((event): SlotRange => {
      const offset = day + event.after - book.start
      const year = yearOf(day + event.after)
      const block = book.blocks().find((one) => one.year === year && one.range === 'receiving')!
      const before = ledgers[offset]!.groups.slice(0, EVENTS.indexOf(event))
      const inDay = before.reduce((sum, group) => sum + group.items, at * event.lines)
      const from = block.itemSlot + items[offset]! - items[block.from]! + inDay
      return [from, from + event.lines]
    })
}
