// Examples whose answers are printed in the books that the formulas come from.
import {
  netRequirement,
  orderUpToLevel,
  safetyStock,
} from '../../../engine/inventory/order-up-to.ts'
import { inventoryPosition } from '../../../engine/inventory/position.ts'
import { forecastDays, protectionDays } from '../../../engine/inventory/protection.ts'
import { criticalRatio, targetQuantile } from '../../../engine/inventory/target-quantile.ts'
import { normalDemand, normalQuantile } from './normal.ts'

describe('the newsvendor', () => {
  it('buys 15 copies of the journal (Nahmias, Production and Operations Analysis, 5.3)', () => {
    // Bought at 25 cents, sold at 75, taken back at 10: 50 lost a copy short, 15 a copy left over.
    const ratio = criticalRatio(50, 15)
    expect(ratio).toBeCloseTo(0.77, 2)
    expect(11.73 + normalQuantile(ratio) * 4.74).toBeCloseTo(15.24, 1)
  })

  it('orders up to 56.6 (Snyder, Shen, Fundamentals of Supply Chain Theory, example 4.3)', () => {
    const ratio = criticalRatio(0.7, 0.18)
    expect(50 + normalQuantile(ratio) * 8).toBeCloseTo(56.6, 1)
  })
})

describe('the (R,S) system', () => {
  it('orders up to 16570 boxes (Chopra, Meindl, Supply Chain Management, ch. 12)', () => {
    // Weekly demand N(2500, 500), lead time 2 weeks, review every 4 weeks, service level 90 %.
    const demand = normalDemand(2500 / 7, 500 / Math.sqrt(7))
    const horizon = protectionDays(14, 28)
    const level = orderUpToLevel(demand, horizon, 0.9)
    expect(level).toBeGreaterThanOrEqual(16569)
    expect(level).toBeLessThanOrEqual(16571)
    expect(safetyStock(level, demand.at(horizon).p50)).toBeCloseTo(1570, -1)
  })

  it('orders what the position lacks', () => {
    const position = inventoryPosition({ onHand: 12, onOrder: 20, openProposals: 0 })
    expect(netRequirement(140, position)).toBe(108)
    expect(netRequirement(140, 500)).toBe(0)
  })
})

describe('the target quantile', () => {
  it('is P50 where a stockout costs no more than carrying', () => {
    expect(targetQuantile({ stockoutRate: 0.01, carryingRate: 0.73 }, 7)).toBe(0.5)
    expect(targetQuantile({ stockoutRate: 0.014, carryingRate: 0.73 }, 7)).toBe(0.5)
    expect(targetQuantile({ stockoutRate: 0, carryingRate: 0 }, 7)).toBe(0.5)
  })

  it('is P90 where a stockout costs nine times as much as carrying, or more', () => {
    expect(targetQuantile({ stockoutRate: 0.126, carryingRate: 0.73 }, 7)).toBe(0.9)
    expect(targetQuantile({ stockoutRate: 5, carryingRate: 0.25 }, 7)).toBe(0.9)
  })

  it('lies between them otherwise, to two decimals', () => {
    expect(targetQuantile({ stockoutRate: 0.042, carryingRate: 0.73 }, 7)).toBe(0.75)
  })
})

describe('the protection interval', () => {
  it('is lead time and review period, of which at most 90 days are forecast', () => {
    expect(protectionDays(14, 7)).toBe(21)
    expect(protectionDays(0, 0)).toBe(1)
    expect(protectionDays(120, 7)).toBe(127)
    expect([21, 90, 127].map(forecastDays)).toEqual([21, 90, 90])
  })
})
