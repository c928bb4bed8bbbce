// A level that has changed for weeks, as no window of the past has: the forecast follows it, and says that it is not sure.
import {
  contextsOf,
  type DemandHistory,
  forecastPair,
  predictDemand,
  toEpochDay,
} from '../../../engine/index.ts'
import { noise } from './demand.ts'

const AS_OF = toEpochDay('2026-11-01')
const DAYS = 700

interface Level {
  units: number
  /** Days before the forecast. */
  since: number
}

function history(seed: number, levels: Level[], promoted?: (day: number) => boolean) {
  const random = noise(seed)
  const days = Array.from({ length: DAYS }, (_, i) => i - DAYS)
  const level = (day: number) => levels.findLast(({ since }) => day >= -since)!.units
  const units = days.map((day) => {
    const uplift = promoted?.(day) ? 5 : 1
    return Math.round(level(day) * uplift * (0.5 + random()))
  })
  const all: DemandHistory = {
    days: Int32Array.from(days, (day) => AS_OF + day),
    quantities: Float64Array.from(units),
  }
  return promoted ? { ...all, promo: Uint8Array.from(days, (day) => Number(promoted(day))) } : all
}

const steady = { units: 12, since: DAYS }
const others = Array.from({ length: 30 }, (_, i) => history(i + 1, [steady]))
const [context] = contextsOf(
  others.map((each) => ({ location: 'L', history: each })),
  AS_OF,
).values()
const forecast = (own: DemandHistory, horizon: number) =>
  predictDemand(forecastPair(own, AS_OF, context!), horizon)

describe('a level that has changed', () => {
  it.each([
    [30, 3],
    [60, 3],
    [100, 3],
    [60, 48],
    [60, 6],
  ])('for %d days to %d a day is followed, and not surely', (since, units) => {
    const own = history(7, [steady, { units, since }])
    for (const horizon of [28, 90]) {
      const { p50, confidence } = forecast(own, horizon)
      expect(p50).toBeGreaterThan(0.7 * units * horizon)
      expect(p50).toBeLessThan(1.3 * units * horizon)
      expect(confidence).toBe('low')
    }
  })

  it.each([3, 48])(
    'to %d a day keeps P10 ≤ P50 ≤ P75 ≤ P90 of a season that was not seen',
    (units) => {
      for (let since = 28; since <= 112; since += 4) {
        const own = history(since, [steady, { units, since }])
        const { p10, p50, p75, p90 } = forecastPair(own, AS_OF, {
          ...context!,
          knownFrom: AS_OF - 90,
        })
        expect(p75).toHaveLength(p50.length)
        p75!.forEach((value, i) => {
          const quantiles = [p10[i]!, p50[i]!, value, p90[i]!]
          expect(quantiles).toEqual(quantiles.toSorted((a, b) => a - b))
        })
      }
    },
  )

  it('for a month may also return', () => {
    const [fallen, risen] = [3, 48].map((units) =>
      forecast(history(7, [steady, { units, since: 30 }]), 90),
    )
    expect(fallen!.p90).toBeGreaterThan(0.7 * 12 * 90)
    expect(risen!.p10).toBeLessThan(0.5 * 48 * 90)
  })

  it.each([
    ['nothing', [steady]],
    ['a fifth', [steady, { units: 14.4, since: 60 }]],
    ['weeks that the past has seen before', [steady, ...times(400), ...times(250), ...times(30)]],
  ])('by or for %s is left to the methods', (_name, levels) => {
    expect(forecast(history(7, levels), 28).confidence).not.toBe('low')
  })

  it('two weeks ago is not followed yet, and not surely what comes', () => {
    const { p50, confidence } = forecast(history(7, [steady, { units: 3, since: 14 }]), 90)
    expect(p50).toBeGreaterThan(6 * 90)
    expect(confidence).toBe('low')
  })

  it.each([
    [
      'and is silent since',
      3,
      [
        [0.6, 56],
        [0, 28],
      ],
      undefined,
    ],
    [
      'and is silent for longer',
      2,
      [
        [0.3, 112],
        [0, 56],
      ],
      undefined,
    ],
    [
      'with promotions on most days',
      3,
      [[9, 42]],
      (day: number) => day >= -28 && (day < -21 || day % 2 === 0),
    ],
  ] as const)('%s has numbers still', (_name, units, then, promoted) => {
    const levels = [{ units, since: DAYS }, ...then.map(([units, since]) => ({ units, since }))]
    const model = forecastPair(history(7, levels, promoted), AS_OF, context!)
    for (const each of [...model.p10, ...model.p50, ...model.p90])
      expect(each).toBeGreaterThanOrEqual(0)
  })

  it('by promotions is none', () => {
    const promoted = (day: number) => day >= -25 && day < -5
    const { p50 } = forecast(history(7, [steady], promoted), 28)
    expect(p50).toBeLessThan(2 * 12 * 28)
  })
})

/** Five weeks of a higher level, so long ago. */
function times(since: number): Level[] {
  return [
    { units: 24, since },
    { ...steady, since: Math.max(0, since - 35) },
  ]
}
