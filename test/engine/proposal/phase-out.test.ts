import { propose, supplierLine } from '../../../engine/proposal/index.ts'
import { medianDemand } from '../../../engine/inventory/demand.ts'
import { input, steadyDemand } from './input.ts'

/** 5 a day, from the 20th of November until the day before the phase-out. */
const phasedOut = (phaseOutOn: string, until: number) =>
  input({
    forecast: { ...steadyDemand(5), until },
    position: { onHand: 12, onOrder: 0 },
    planning: { moq: null, lotSize: null, leadTimeDays: 14, phaseOutOn },
  })

describe('a SKU that is phased out', () => {
  it('has no demand from that day on', () => {
    const forecast = { ...steadyDemand(5), until: 18 }
    expect([10, 18, 19, 200].map((days) => medianDemand(forecast, days))).toEqual([50, 90, 90, 90])
  })

  it('is ordered for the days until then only', () => {
    const whole = propose({ ...phasedOut('2026-12-08', 18), forecast: steadyDemand(5) })
    const cut = propose(phasedOut('2026-12-08', 18))
    if (whole.kind !== 'order' || cut.kind !== 'order') throw new Error('expected orders')
    const { targetStock, netRequirement, phaseOutOn } = cut.calculation
    expect(targetStock).toBe(Math.round(5 * 18 * 1.4))
    expect(netRequirement).toBe(targetStock - 12)
    expect(phaseOutOn).toBe('2026-12-08')
    expect(whole.quantity).toBeGreaterThan(cut.quantity)
    expect(cut.rationale).toMatch(/; phased out on 2026-12-08, no demand from then on\.$/)
  })

  it('is not ordered where that would arrive on the day or later', () => {
    expect(propose(phasedOut('2026-12-05', 15)).kind).toBe('order')
    expect(propose(phasedOut('2026-12-04', 14)).kind).toBe('none')
    expect(propose(phasedOut('2026-11-25', 5)).kind).toBe('none')
  })

  it('is said to be only where that shortens what an order must last', () => {
    const result = propose(phasedOut('2027-02-20', 92))
    expect(result.kind === 'order' && result.calculation).not.toHaveProperty('phaseOutOn')
  })

  it('is not covered against chance by its last order, of which nobody wants the rest', () => {
    const costs = { stockoutRate: 0.4, carryingRate: 0.25 }
    const targetOf = (phaseOutOn: string, until: number, rates = costs, shelfLifeDays?: number) => {
      const pair = phasedOut(phaseOutOn, until)
      const result = propose({
        ...pair,
        planning: { ...pair.planning, ...(shelfLifeDays && { shelfLifeDays }) },
        policy: { ...pair.policy, target: rates },
      })
      return result.kind === 'blocked' ? null : result.calculation.targetQuantile
    }
    expect(targetOf('2026-12-08', 18)).toBe(0.5)
    expect(targetOf('2027-02-20', 92)).toBeGreaterThan(0.9)
    // A stockout that costs four times the unit is worth four of five chances.
    expect(targetOf('2026-12-08', 18, { ...costs, stockoutRate: 4 })).toBeCloseTo(0.8, 1)
    // What expires before the phase-out is thrown away sooner.
    const dear = { ...costs, stockoutRate: 4 }
    expect(targetOf('2026-12-08', 18, dear, 1)).toBeLessThan(targetOf('2026-12-08', 18, dear)!)
  })

  it('is not raised for the minimum of its supplier', () => {
    const pair = phasedOut('2026-12-08', 18)
    const result = propose(pair)
    if (result.kind !== 'order') throw new Error('expected an order')
    expect(supplierLine('a', pair, result).most).toBe(result.quantity)
  })
})
