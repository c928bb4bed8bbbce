import { fillSupplierOrder, propose, supplierLine } from '../../../engine/proposal/index.ts'
import type { SupplierLine } from '../../../engine/proposal/index.ts'
import { input } from './input.ts'

const joint = {
  ...{ reviewDays: 7, lineCost: 0, costOfWaiting: 1 },
  carryingCost: (0.25 * 2 * 1) / 365,
}
const line = (changes: Partial<SupplierLine> = {}): SupplierLine => ({
  ...{ key: 'a', quantity: 7, moq: 1, lotSize: 1, most: null, daysAboveTarget: -7 },
  ...{ dailyDemand: 1, unitCost: 2, carryingRate: 0.25, urgency: 'due', orderBy: '2026-11-22' },
  joint,
  ...changes,
})
const fill = (lines: SupplierLine[], orderCost: number) => {
  const order = fillSupplierOrder(lines, { orderCost })
  return { ...order.orderOrWait, quantities: order.lines.map(({ quantity }) => quantity) }
}

it('changes nothing where an order costs nothing', () => {
  expect(fillSupplierOrder([line()], { orderCost: 0 })).toEqual(fillSupplierOrder([line()], {}))
})

it('waits while waiting costs less than it saves, and orders when it costs more', () => {
  // √(2·K / h) = 54 days; in reviews of 7 an order of 20.00 lasts 84.
  expect(fill([line()], 2)).toMatchObject({ decision: 'order', intervalDays: 56 })
  const waits = fill([line()], 20)
  expect(waits).toMatchObject({ decision: 'wait', costOfWaiting: 1, waitDays: 7, quantities: [7] })
  expect(waits.saving).toBeGreaterThan(1)
  const late = line({ joint: { ...joint, costOfWaiting: 10 } })
  expect(fill([late], 20)).toMatchObject({ decision: 'order', intervalDays: 84 })
})

it('lets an order last, and lines that are not due yet join', () => {
  const idle = { quantity: 0, urgency: null, orderBy: null } as const
  const lines = [
    line(),
    line({ ...idle, key: 'b', daysAboveTarget: 5, joint: { ...joint, costOfWaiting: 0 } }),
    line({ ...idle, key: 'c', daysAboveTarget: 80, joint: { ...joint, costOfWaiting: 0 } }),
  ]
  const { decision, intervalDays, quantities } = fill(lines, 1)
  expect(decision).toBe('order')
  const more = intervalDays! - 7
  expect(quantities).toEqual([7 + more, more - 5, 0])
})

it('leaves out what joins with less than half an interval, where a line costs something', () => {
  const dear = { ...joint, lineCost: 0.1 }
  const idle = { key: 'b', quantity: 0, urgency: null, orderBy: null } as const
  const small = line({ ...idle, daysAboveTarget: 18, joint: { ...dear, costOfWaiting: 0 } })
  const order = fill([line({ joint: { ...dear, costOfWaiting: 20 } }), small], 1)
  expect(order.decision).toBe('order')
  expect(order.quantities[1]).toBe(0)
})

it('never waits with a line that is due and whose cost is not known', () => {
  const { joint: _, ...unknown } = line({ key: 'b' })
  expect(fill([line(), unknown], 20)).toMatchObject({ decision: 'order', isPressing: true })
  const served = line({ key: 'b', joint: { ...joint, costOfWaiting: null } })
  expect(fill([line(), served], 20)).toMatchObject({ decision: 'order', isPressing: true })
})

it('knows of a result what waiting costs', () => {
  const own = input()
  own.planning.unitCost = 4
  own.policy.target = { stockoutRate: 0.4, carryingRate: 0.25, unmetDemand: 'backordered' }
  const result = propose(own)
  if (result.kind !== 'order') throw new Error(result.kind)
  const { joint: known } = supplierLine('a', own, result)
  expect(known!.reviewDays).toBe(result.calculation.reviewPeriodDays)
  expect(known!.costOfWaiting).toBe(result.costOfWaiting! * 4)
})
