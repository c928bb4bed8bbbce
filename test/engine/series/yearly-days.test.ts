// Single days that come again every year.
import {
  contextsOf,
  type DemandHistory,
  forecastPair,
  predictDemand,
  toDate,
  toEpochDay,
} from '../../../engine/index.ts'
import { yearlyDays } from '../../../engine/series/yearly-days.ts'
import { noise } from '../forecast/demand.ts'

const AS_OF = toEpochDay('2026-11-10')
const LENGTH = 730

/** Three a day, and more on some days. */
function series(large: Record<string, number>, usual: (at: number) => number = () => 3) {
  const values = Float64Array.from({ length: LENGTH }, (_, at) => usual(at))
  for (const [date, units] of Object.entries(large))
    values[toEpochDay(date) - AS_OF + LENGTH] = units
  return values
}
const told = (values: Float64Array, promo?: Uint8Array) =>
  yearlyDays({ values, promo, end: AS_OF }, AS_OF).map(({ kind, from, to, factor }) => {
    expect([kind, to]).toEqual(['event', from])
    return [toDate(from), factor]
  })

describe('a day of every year', () => {
  it('comes on the same weekday, or on the same day of the calendar', () => {
    expect(told(series({ '2024-11-29': 90, '2025-11-28': 90 }))).toEqual([['2026-11-27', 30]])
    expect(told(series({ '2025-02-14': 40, '2026-02-14': 20 }))).toEqual([['2027-02-14', 10]])
  })

  it('is none that was there once, had a promotion, or is one of many by chance', () => {
    expect(told(series({ '2025-11-28': 90 }))).toEqual([])
    expect(told(series({ '2024-11-29': 90 }))).toEqual([])
    expect(told(series({ '2024-11-29': 20, '2025-11-28': 90 }))).toEqual([])
    const both = series({ '2024-11-29': 90, '2025-11-28': 90 })
    expect(
      told(
        both,
        Uint8Array.from(both, (units) => Number(units > 50)),
      ),
    ).toEqual([])
    const others = { '2025-12-19': 80, '2026-03-03': 80, '2026-07-08': 90 }
    expect(told(series({ '2024-11-29': 90, '2025-11-28': 90, ...others }))).toEqual([])
    const every = (dates: string[]) => Object.fromEntries(dates.map((date) => [date, 90]))
    const months = ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11'].flatMap(
      (month) => [`2025-${month}-03`, `2026-${month}-03`],
    )
    expect(told(series(every(months)))).toEqual([])
    const random = noise(3)
    expect(told(series({}, () => Math.floor(20 * random() ** 8)))).toEqual([])
    expect(told(new Float64Array(100).fill(5))).toEqual([])
  })

  it('counts in the forecast of what lies before it', () => {
    const rows = Array.from({ length: 900 }, (_, i) => AS_OF - 900 + i)
    const isLarge = (day: number) => ['2024-11-29', '2025-11-28'].includes(toDate(day))
    const history: DemandHistory = {
      days: Int32Array.from(rows),
      quantities: Float64Array.from(rows, (day) => (isLarge(day) ? 100 : 2 + (day % 3))),
    }
    const all = Array.from({ length: 12 }, () => ({ location: 'L', history }))
    const model = forecastPair(history, AS_OF, contextsOf(all, AS_OF).get('L')!)
    expect(Math.abs(predictDemand(model, 14).p50 / 42 - 1)).toBeLessThan(0.1)
    const { p50, drivers } = predictDemand(model, 28)
    expect(Math.abs(p50 / 181 - 1)).toBeLessThan(0.1)
    expect(drivers).toContain('event')
  })
})
