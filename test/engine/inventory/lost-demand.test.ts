import { lostBefore } from '../../../engine/inventory/lost-demand.ts'
import { noise } from '../forecast/demand.ts'
import { calculate } from '../proposal/calculate.ts'
import { steadyDemand } from '../proposal/input.ts'

const DAYS = { untilArrival: 14, days: 21 }

describe('demand that is lost before an order arrives', () => {
  it('is all of it without stock, and none with more than enough', () => {
    const demand = steadyDemand(10)
    expect(lostBefore(demand, DAYS, 0, 210)).toBeCloseTo(140, 1)
    expect(lostBefore(demand, DAYS, -5, 210)).toBeCloseTo(140, 1)
    expect(lostBefore(demand, DAYS, 1000, 210)).toBeCloseTo(0, 6)
    expect(lostBefore(demand, { untilArrival: 0, days: 7 }, 0, 70)).toBe(0)
    expect(lostBefore(steadyDemand(0), DAYS, 0, 0)).toBe(0)
  })

  it('falls with each unit of supply, by no more than that unit', () => {
    const demand = steadyDemand(10)
    let before = lostBefore(demand, DAYS, 0, 250)
    for (let supply = 1; supply < 300; supply++) {
      const lost = lostBefore(demand, DAYS, supply, 250)
      expect(before - lost).toBeGreaterThanOrEqual(-1e-6)
      expect(before - lost).toBeLessThanOrEqual(1 + 1e-6)
      before = lost
    }
  })

  it('is what days that are drawn apart lose, where their sum is given', () => {
    const random = noise(7)
    const draw = () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random()) * 12
    const [day, total, supply] = [40, 900, 580]
    let [sum, count] = [0, 0]
    while (count < 400) {
      const days = Array.from({ length: 21 }, () => day + draw())
      const whole = days.reduce((a, b) => a + b, 0)
      if (Math.abs(whole - total) > 8) continue
      const until = days.slice(0, 14).reduce((a, b) => a + b, 0)
      sum += Math.max(0, until - supply)
      count++
    }
    // 12·√21 = 55 a standard deviation, 2.563 of them from P10 to P90, which are 1.6·spread·840 apart.
    const demand = steadyDemand(day, (2.563 * 12 * Math.sqrt(21)) / (1.6 * 840))
    expect(lostBefore(demand, DAYS, supply, total)).toBeCloseTo(sum / count, -0.7)
  })
})

describe('an order where unmet demand is lost', () => {
  const costs = { stockoutRate: 0.4, carryingRate: 5.2 }
  const order = (unmetDemand: 'lost' | 'backordered', onHand: number) =>
    calculate({
      forecast: steadyDemand(10, 0.2),
      position: { onHand, onOrder: 0 },
      planning: { moq: 1, lotSize: 1 },
      policy: { target: { ...costs, unmetDemand } },
    })

  it('leaves out what an empty shelf loses until it arrives', () => {
    const { targetStock, lostBeforeArrival, netRequirement } = order('lost', 0)
    expect(lostBeforeArrival).toBe(Math.floor((targetStock * 14) / 21))
    expect(netRequirement).toBe(targetStock - lostBeforeArrival!)
  })

  it('is as before with stock until it arrives, and where demand waits', () => {
    expect(order('lost', 200)).not.toHaveProperty('lostBeforeArrival')
    expect(order('backordered', 0)).not.toHaveProperty('lostBeforeArrival')
  })
})
