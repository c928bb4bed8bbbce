import {
  type CleanedDay,
  cleanedDays,
  type CleaningReason,
  type DemandHistory,
  EMPTY_CONTEXT,
  toEpochDay,
} from '../../../engine/index.ts'
import { daily, noise, until } from './demand.ts'

const AS_OF = toEpochDay('2026-11-20')
const DAYS = 400
const BULK = DAYS - 50

/** Between 10 and 30 a day, once 900, and nothing from 20 to 11 and in the last 3 days before the as-of date. */
function history(): DemandHistory {
  const random = noise(3)
  const values = daily(DAYS, (day) => {
    const value = day === BULK ? 900 : Math.round(10 + 20 * random())
    const ago = DAYS - day
    return (ago <= 20 && ago >= 11) || ago <= 3 ? 0 : value
  })
  const stock = {
    seen: Int32Array.from({ length: DAYS }, (_, i) => AS_OF - DAYS + i),
    empty: Int32Array.from([20, 11, 3, 1], (ago) => AS_OF - ago),
  }
  return { ...until(AS_OF, values), stock }
}

const daysAgo = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, at) => AS_OF - from + at)

const cleaned = (history: DemandHistory, closedDays: number[] = []) =>
  cleanedDays(history, AS_OF, { ...EMPTY_CONTEXT, closedDays })
const daysFor = (days: CleanedDay[], reason: CleaningReason) =>
  days.filter(({ reasons }) => reasons.includes(reason)).map(({ day }) => day)

it('are those without stock, also the last ones, closed days and bulk sales', () => {
  const days = cleaned(history(), [AS_OF - 5000, AS_OF - 30, AS_OF])
  // The stock ran out in the course of the days before.
  const empty = [...daysAgo(20, 11), ...daysAgo(3, 1)]
  expect(daysFor(days, 'out_of_stock')).toEqual(expect.arrayContaining(empty))
  expect(daysFor(days, 'closed')).toEqual([AS_OF - 30])
  expect(daysFor(days, 'outlier')).toEqual([AS_OF - DAYS + BULK])
  expect(days.map(({ day }) => day)).toEqual(days.map(({ day }) => day).sort())
})

it('say what was booked and what counts instead', () => {
  const days = cleaned(history(), [AS_OF - 30])
  const on = (day: number) => days.find((each) => each.day === day)
  expect(on(AS_OF - 1)).toMatchObject({ booked: 0, taken: null })
  expect(on(AS_OF - 15)).toMatchObject({ booked: 0 })
  for (const ago of [15, 30]) expect(on(AS_OF - ago)!.taken).toBeGreaterThan(5)
  const bulk = on(AS_OF - DAYS + BULK)!
  expect(bulk.booked).toBe(900)
  expect(bulk.taken).toBeGreaterThan(30)
  expect(bulk.taken).toBeLessThan(900)
})

it('are those of planned closures without a sale, and no days that an event explains', () => {
  const planned = (kind: 'closure' | 'event', from: number, to: number, factor: number) => ({
    ...{ kind, from: AS_OF - from, to: AS_OF - to, factor },
  })
  const effects = [planned('closure', 22, 18, 0), planned('event', 50, 50, 40)]
  const days = cleaned({ ...history(), effects })
  expect(daysFor(days, 'closed')).toEqual(daysAgo(20, 18))
  expect(daysFor(days, 'outlier')).toEqual([])
  expect(days.find(({ day }) => day === AS_OF - 50)).toMatchObject({
    ...{ booked: 900, taken: 23, reasons: ['planned'] },
  })
})

it('are none where demand is booked by the month', () => {
  const months = ['05', '06', '07', '08', '09', '10', '11']
  const booked = {
    days: Int32Array.from(months, (month) => toEpochDay(`2026-${month}-01`)),
    quantities: new Float64Array(months.length).fill(100),
    stock: history().stock!,
  }
  const posting = { every: 'month', on: 1, until: null } as const
  expect(cleanedDays(booked, AS_OF, { ...EMPTY_CONTEXT, posting })).toEqual([])
})
