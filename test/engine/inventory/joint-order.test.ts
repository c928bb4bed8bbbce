import { jointInterval } from '../../../engine/inventory/joint-order.ts'

/** 100 units a year of 2.00 at 25 % a year, in money a day for each day of cover. */
const carryingCost = (0.25 * 2 * (100 / 365)) / 365
const line = { reviewDays: 1, lineCost: 0, carryingCost }

it('is the economic order interval where one line stands alone', () => {
  // EOQ = √(2·K·D / (r·c)) = √(2·0.50·100 / 0.50) = 14.1 units, which last 51.6 days; C(T*) = √(2·K·h) a day.
  const interval = jointInterval(0.5, [line])!
  expect(interval.days).toBe(52)
  expect(interval.costPerDay).toBeCloseTo(Math.sqrt(2 * 0.5 * carryingCost) - carryingCost / 2, 4)
})

it('is that of the sum of all lines, in whole review periods', () => {
  const four = Array.from({ length: 4 }, () => ({ ...line, reviewDays: 7 }))
  // √(2·K / Σh) = 25.8 days.
  expect(jointInterval(0.5, four)!.days).toBe(28)
  const cheap = jointInterval(0.01, four)!
  expect(cheap.days).toBe(7)
  expect(cheap.costPerDay).toBeCloseTo(0.01 / 7, 9)
})

it('is longer where lines cost something too, and ends with the forecast', () => {
  const dear = Array.from({ length: 4 }, () => ({ ...line, reviewDays: 7, lineCost: 0.5 }))
  expect(jointInterval(0.5, dear)!.days).toBeGreaterThan(28)
  expect(jointInterval(1e6, [{ ...line, reviewDays: 7 }])!.days).toBe(84)
})

it('is not known where nothing costs anything', () => {
  expect(jointInterval(0, [line])).toBeNull()
  expect(jointInterval(10, [{ ...line, carryingCost: 0 }])).toBeNull()
  expect(jointInterval(10, [])).toBeNull()
})
