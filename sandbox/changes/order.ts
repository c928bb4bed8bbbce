import { dayOf } from '../world/days.ts'
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

const SIGN: Record<string, number> = { '101': 1, '102': -1, '122': -1, '123': 1 }

export function receive(world: World, change: Extract<Change, { kind: 'receive' }>): ChangeResult {
  const { order: number, item, quantity, type = '101' } = change
  const sign = assertExists(SIGN[type], `movement type ${type}`)
  const line = lineOf(world, number, item)
  const milli = Math.round(quantity * 1000)
  world.orders.changes.receive(number, item, sign * milli)
  const document = world.added.add(world.clock.now(), world.clock.today(), [
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

/** Unlike a receipt, this changes the order's timestamp. */
export function changeOrderLine(
  world: World,
  { order: number, item, deletion, completed }: Extract<Change, { kind: 'orderLine' }>,
): void {
  lineOf(world, number, item)
  world.orders.changes.alter(number, item, world.clock.now(), {
    ...(deletion !== undefined && { deletion }),
    ...(completed !== undefined && { isCompleted: completed }),
  })
}

function lineOf(world: World, number: string, item: string): OrderLine {
  const found = world.orders.find(number)?.lines.find((line) => line.item === item)
  return assertExists(found, `order line ${number}/${item}`)
}
