// The long run of an order-up-to level, recomputed by hand and by drawing demand.
import { cycleOutcome, type StockCycle } from '../../../engine/inventory/replenishment-cycle.ts'
import { demandOver } from '../../../engine/inventory/demand.ts'
import { normalDemand, normalQuantile } from './normal.ts'

const MEAN = 20
const DEVIATION = 6
const demand = normalDemand(MEAN, DEVIATION)
const over = (days: number) => [{ weight: 1, demand: demandOver(demand, days) }]

const cycle = (changes: Partial<StockCycle> = {}): StockCycle => ({
  ...{ untilArrival: over(9), untilNext: over(16), days: 7, batch: 1, cap: Infinity },
  ...changes,
})

/** σ·G(z) with the unit normal loss function G(z) = φ(z) − z·(1 − Φ(z)), by the table in Silver, Pyke, Thomas. */
const LOSS: Record<string, number> = { 0: 0.3989, 1: 0.08332, 2: 0.008491 }

it('is what the textbook’s unit normal loss function says: 20 ± 6 a day, L 9, R 7, two deviations of safety', () => {
  // Over L + R = 16 days: mean 320, deviation 6·√16 = 24. S = 320 + 2·24 = 368.
  const { stock, short, demand: wanted, stockoutChance } = cycleOutcome(cycle(), 368)
  // Short before the next arrival 24·G(2) = 0.2038; before the arrival: mean 180, deviation 18, z = 10.4: nothing.
  expect(short * 7).toBeCloseTo(24 * LOSS[2]!, 1)
  // Stock at the end of a cycle 368 − 320 + 0.2 = 48.2, after an arrival 368 − 180 = 188: in the mean 118.1.
  expect(stock).toBeCloseTo((48.2 + 188) / 2, 0)
  expect(wanted).toBeCloseTo(MEAN, 1)
  // P(Z > 2) = 2.3 %, with half a unit that counts reach further.
  expect(stockoutChance).toBeCloseTo(0.022, 2)
})

it('has shortages in half of the cycles without safety stock', () => {
  const { short, stockoutChance } = cycleOutcome(cycle(), 320)
  expect(stockoutChance).toBeCloseTo(0.49, 1)
  expect(short * 7).toBeCloseTo(24 * LOSS[0]!, 0)
})

it('keeps half a batch more, which averts shortages too', () => {
  const single = cycleOutcome(cycle(), 340)
  const batch = cycleOutcome(cycle({ batch: 41 }), 340)
  // The mean of 340 … 380, less what is no longer short.
  expect(batch.stock - single.stock).toBeGreaterThan(17)
  expect(batch.stock - single.stock).toBeLessThan(20)
  expect(batch.short).toBeLessThan(single.short)
})

it('never keeps more than the cap, and is never below nothing', () => {
  expect(cycleOutcome(cycle({ cap: 200 }), 368)).toEqual(cycleOutcome(cycle(), 200))
  const none = cycleOutcome(cycle({ cap: 0 }), 368)
  expect(none.stock).toBeCloseTo(0, 6)
  expect(none.short).toBeCloseTo(none.demand, 1)
  expect(none.stockoutChance).toBe(1)
})

it('comes near to what happens when demand is drawn day by day', () => {
  const random = seeded(7)
  const [lead, review, level] = [9, 7, 345]
  const arrivals = new Map<number, number>()
  let [onHand, onOrder, owed] = [level, 0, 0]
  const sum = { stock: 0, short: 0, demand: 0 }
  const days = 140_000
  for (let day = 0; day < days; day++) {
    const arrived = arrivals.get(day) ?? 0
    arrivals.delete(day)
    onOrder -= arrived
    const served = Math.min(owed, arrived)
    owed -= served
    onHand += arrived - served
    const wanted = Math.max(0, MEAN + DEVIATION * normalQuantile(random()))
    if (day % review === 0) {
      const quantity = level - (onHand + onOrder - owed)
      onOrder += quantity
      arrivals.set(day + lead, quantity)
    }
    const taken = Math.min(onHand, wanted)
    sum.stock += onHand - taken / 2
    onHand -= taken
    owed += wanted - taken
    sum.short += wanted - taken
    sum.demand += wanted
  }
  const outcome = cycleOutcome(cycle(), level)
  expect(outcome.stock / (sum.stock / days)).toBeCloseTo(1, 1)
  expect(1 - outcome.short / outcome.demand).toBeCloseTo(1 - sum.short / sum.demand, 2)
})

/** Repeatable numbers of 0..1; few enough different ones for the cache of quantiles. */
function seeded(state: number) {
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return (Math.floor(state / 2 ** 24) + 0.5) / 256
  }
}
