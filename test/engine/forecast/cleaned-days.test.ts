import {
  cleanedDays,
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

it('are those without stock, also the last ones, closed days and bulk sales', () => {
  const closedDays = [AS_OF - 5000, AS_OF - 30, AS_OF]
  expect(cleanedDays(history(), AS_OF, { ...EMPTY_CONTEXT, closedDays })).toEqual({
    outOfStock: [...daysAgo(20, 11), ...daysAgo(3, 1)],
    closed: [AS_OF - 30],
    outliers: [AS_OF - DAYS + BULK],
  })
})

it('are those of planned closures without a sale, and no days that an event explains', () => {
  const planned = (kind: 'closure' | 'event', from: number, to: number, factor: number) => ({
    ...{ kind, from: AS_OF - from, to: AS_OF - to, factor },
  })
  const effects = [planned('closure', 22, 18, 0), planned('event', 50, 50, 40)]
  expect(cleanedDays({ ...history(), effects }, AS_OF, EMPTY_CONTEXT)).toMatchObject({
    closed: daysAgo(20, 18),
    outliers: [],
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
  expect(cleanedDays(booked, AS_OF, { ...EMPTY_CONTEXT, posting })).toEqual({
    ...{ outOfStock: [], closed: [], outliers: [] },
  })
})
