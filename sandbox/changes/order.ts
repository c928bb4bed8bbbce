import { dayOf } from '../world/days.ts'
import { RECEIPT_SIGNS } from '../world/movement-types.ts'
import { SCHEDULE_LINES } from '../world/orders.ts'
import { assertExists } from './assert-exists.ts'
import type { OrderLine } from '../world/order.ts'
import type { World } from '../world/world.ts'
import type { Change, ChangeResult } from './change.ts'

const DUE_AFTER = 14
const REFERENCE_LENGTH = 12

export function order(world: World, change: Extract<Change, { kind: 'order' }>): ChangeResult {
  const { sku, location, quantity } = change
  const { pairs, orders, clock } = world
  const at = assertExists(pairs.findSku(sku), sku)
  assertExists(pairs.find(sku, location), `${sku} at ${location}`)
  const unit = pairs.unit(at)
  const inOrderUnit = change.unit === 'order' && unit.order !== ''
  const asked = change.schedule ?? [{ due: null, quantity }]
  assertRoom(asked.length)
  const line: OrderLine = {
    item: '00010',
    sku,
    plant: location,
    unit: inOrderUnit ? unit.order : unit.base,
    baseUnit: unit.base,
    factor: inOrderUnit ? unit.factor : 1,
    quantity: Math.round(quantity * 1000),
    received: 0,
    schedule: asked.map((part) => ({
      due: part.due === null ? clock.today() + DUE_AFTER : dayOf(part.due),
      quantity: Math.round(part.quantity * 1000),
    })),
    isCompleted: false,
    deletion: '',
    isReturn: false,
    account: '',
  }
  const number = orders.addedNumber()
  const now = clock.now()
  const supplier = world.supplierOf(at)
  const stamp = { created: now, changed: now }
  const reference = change.reference?.slice(0, REFERENCE_LENGTH)
  orders.added.push({ number, ...stamp, supplier, deletion: '', reference, lines: [line] })
  return { kind: 'order', document: number }
}

export function receive(world: World, change: Extract<Change, { kind: 'receive' }>): ChangeResult {
  const { order: number, item, quantity, type = '101', postingDate } = change
  const sign = assertExists(RECEIPT_SIGNS[type], `movement type ${type}`)
  const line = lineOf(world, number, item)
  const milli = Math.round(quantity * 1000)
  world.orders.changes.receive(number, item, sign * milli)
  const posting = postingDate === undefined ? world.clock.today() : dayOf(postingDate)
  const document = world.added.add(world.clock.now(), posting, [
    {
      sku: line.sku,
      plant: line.plant,
      storageLocation: '101A',
      type,
      milli,
      unit: line.baseUnit,
      reverses: '',
      order: number,
      orderItem: item,
      special: '',
      isAutomatic: false,
    },
  ])
  return { kind: 'receive', document: document.number, year: document.year }
}

/** Unlike a receipt, this changes the order's timestamp, as do the following changes. */
export function changeOrderLine(world: World, change: Extract<Change, { kind: 'orderLine' }>) {
  const { order: number, item, deletion, completed } = change
  lineOf(world, number, item)
  world.orders.changes.alter(number, item, stampOf(world, change), {
    ...(deletion !== undefined && { deletion }),
    ...(completed !== undefined && { isCompleted: completed, isFinal: completed }),
  })
}

export function changeOrderHeader(world: World, change: Extract<Change, { kind: 'orderHeader' }>) {
  const { order: number, deletion } = change
  assertExists(world.orders.find(number), `order ${number}`)
  world.orders.changes.alterHeader(number, stampOf(world, change), deletion)
}

export function changeScheduleLine(
  world: World,
  change: Extract<Change, { kind: 'scheduleLine' | 'splitSchedule' }>,
) {
  const { order: number, item, scheduleLine = '0001' } = change
  const { schedule } = lineOf(world, number, item)
  const at = Number(scheduleLine) - 1
  const line = assertExists(schedule[at], `schedule line ${number}/${item}/${scheduleLine}`)
  const due = dayOf(change.due)
  const altered =
    change.kind === 'scheduleLine'
      ? schedule.with(at, { ...line, due })
      : split(schedule, at, { due, quantity: Math.round(change.quantity * 1000) })
  world.orders.changes.alter(number, item, stampOf(world, change), { schedule: altered })
}

type Schedule = OrderLine['schedule']

function split(schedule: Schedule, at: number, added: Schedule[number]): Schedule {
  assertRoom(schedule.length + 1)
  const line = schedule[at]!
  if (!(added.quantity > 0 && added.quantity < line.quantity)) {
    throw new Error('A part of the schedule line must be moved, and a part must stay')
  }
  const rest = { ...line, quantity: line.quantity - added.quantity }
  return [...schedule.with(at, rest), added]
}

function assertRoom(lines: number): void {
  if (lines > SCHEDULE_LINES)
    throw new Error(`An item has at most ${SCHEDULE_LINES} schedule lines`)
}

const stampOf = (world: World, { stamped = true }: { stamped?: boolean }) =>
  stamped ? world.clock.now() : null

function lineOf(world: World, number: string, item: string): OrderLine {
  const found = world.orders.find(number)?.lines.find((line) => line.item === item)
  return assertExists(found, `order line ${number}/${item}`)
}
