import { propose, reachOf } from '../../../engine/proposal/index.ts'
import { demandFrom } from '../inventory/normal.ts'
import { input, type Overrides, steadyDemand } from './input.ts'

function reachFor(overrides: Overrides) {
  const given = input({
    ...overrides,
    position: { onOrder: 0, ...overrides.position },
    planning: { moq: 1, lotSize: 1, ...overrides.planning },
  })
  const result = propose(given)
  if (result.kind === 'blocked') throw new Error('blocked')
  return { ...reachOf(given, result.calculation)!, kind: result.kind }
}

it('what is there lasts until the day on which a unit more would be missing', () => {
  const { kind, position, target, orderAbout } = reachFor({
    forecast: steadyDemand(10, 0),
    position: { onHand: 270 },
  })
  expect({ kind, position, target }).toEqual({ kind: 'none', position: 270, target: 210 })
  // 61 are wanted in the first seven days.
  expect(orderAbout).toBe('2026-11-27')
})

it('of what sells one in four weeks no order is due tomorrow', () => {
  const forecast = demandFrom((days) => ({ p10: 0, p50: days / 28, p90: days / 10, tail: 1 }))
  const planning = { leadTimeDays: 7, reviewPeriodDays: 7 }
  const policy = { target: { quantile: 0.5 } }
  const { kind, position, target, orderAbout } = reachFor({
    ...{ forecast, planning, policy, position: { onHand: 1 } },
  })
  expect({ kind, position, target }).toEqual({ kind: 'none', position: 1, target: 1 })
  expect(orderAbout).toBe('2026-12-04')
})

it('no day is told of an order that does not pay although something is missing', () => {
  const { kind, orderAbout } = reachFor({
    ...{ forecast: steadyDemand(1, 0), position: { onHand: 14 } },
    planning: { lotSize: 2000, moq: 2000, unitCost: 2 },
    policy: { target: { stockoutRate: 0.4, carryingRate: 0.25 } },
  })
  expect({ kind, orderAbout }).toEqual({ kind: 'none', orderAbout: null })
})
