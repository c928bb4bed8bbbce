// The same demand gives the same numbers, in whatever order its series come and however much more of the past is known.
import {
  calibrate,
  calibrationSample,
  contextsOf,
  type DemandHistory,
  EMPTY_CONTEXT,
  forecastPair,
  learningSample,
  toEpochDay,
} from '../../../engine/index.ts'

const AS_OF = toEpochDay('2026-11-20')

/** Numbers that are spread, and the same at every run. */
const noise = (seed: number) => ((Math.imul(seed, 2_654_435_761) >>> 8) % 1000) / 1000

const historyOf = (seed: number, days: number): DemandHistory => ({
  days: Int32Array.from({ length: days }, (_, i) => AS_OF - days + i),
  quantities: Float64Array.from({ length: days }, (_, i) => {
    const luck = noise(seed * 7919 + i)
    return luck < 0.4 ? 0 : Math.round(luck * (1 + (seed % 9)) * 1000) / 100
  }),
})

interface Sampled {
  sku: string
  location: string
  history: DemandHistory
}

const series = Array.from({ length: 60 }, (_, i): Sampled => ({
  ...{ sku: `S${i}`, location: ['L1', 'Ä', 'l2'][i % 3]! },
  history: historyOf(i, 150 + ((i * 37) % 300)),
}))

const shuffled = <T>(all: readonly T[], seed = 1): T[] =>
  all
    .map((one, i) => ({ one, at: noise(seed + i * 31) }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one)

function learn(all: Sampled[]) {
  const sample = learningSample(all)
  const contexts = contextsOf(sample, AS_OF)
  const chosen = calibrationSample(sample, ({ history }) => history, AS_OF)
  const known = chosen.map(({ location, history }) => ({
    history,
    context: contexts.get(location)!,
  }))
  return { contexts: Object.fromEntries(contexts), calibration: calibrate(known, AS_OF) }
}

describe('what is learnt', () => {
  it('does not depend on the order of the series', () => {
    const first = learn(series)
    expect(first.calibration?.boosting?.horizons.length).toBeGreaterThan(0)
    for (const seed of [1, 2]) {
      expect(JSON.stringify(learn(shuffled(series, seed)).calibration)).toBe(
        JSON.stringify(first.calibration),
      )
      expect(learn(shuffled(series, seed)).contexts).toEqual(first.contexts)
    }
  })
})

describe('the sample of a large location', () => {
  const many = Array.from({ length: 1_500 }, (_, i) => ({ sku: `S${i}`, location: 'L1' }))
  const skusOf = (pairs: { sku: string }[]) => pairs.map(({ sku }) => sku)
  const sample = skusOf(learningSample(many))

  it('is the same whatever their order', () => {
    expect(sample).toHaveLength(1_000)
    expect(skusOf(learningSample(shuffled(many)))).toEqual(sample)
    expect(sample).toEqual(sample.toSorted())
  })

  it('is nearly the same when a series comes', () => {
    const after = skusOf(learningSample([{ sku: 'A', location: 'L1' }, ...many]))
    expect(after.filter((sku) => !sample.includes(sku)).length).toBeLessThanOrEqual(1)
  })

  it('takes of many locations a share of each', () => {
    const wide = Array.from({ length: 20 }, (_, at) =>
      many.slice(0, 400).map(({ sku }) => ({ sku, location: `L${at}` })),
    ).flat()
    const counts = Map.groupBy(learningSample(wide), ({ location }) => location)
    expect([...counts.values()].map(({ length }) => length)).toEqual(new Array(20).fill(300))
  })
})

describe('a forecast', () => {
  const part = (history: DemandHistory, from: number): DemandHistory => ({
    days: history.days.subarray(from),
    quantities: history.quantities.subarray(from),
  })

  it('does not depend on how much more of the past is known', () => {
    const history = historyOf(4, 2_000)
    const whole = forecastPair(history, AS_OF, EMPTY_CONTEXT)
    expect(forecastPair(part(history, 2_000 - 730), AS_OF, EMPTY_CONTEXT)).toEqual(whole)
    expect(forecastPair(part(history, 1), AS_OF, EMPTY_CONTEXT)).toEqual(whole)
  })

  it('nor where little was sold of late', () => {
    const days = Int32Array.from([2_500, 2_400, 1_700, 1_600, 900, 100], (ago) => AS_OF - ago)
    const history = { days, quantities: Float64Array.from(days, () => 3) }
    const whole = forecastPair(history, AS_OF, EMPTY_CONTEXT)
    expect(forecastPair(part(history, 2), AS_OF, EMPTY_CONTEXT)).toEqual(whole)
  })

  it('of what nobody has bought for years is not one of something new', () => {
    const history = historyOf(4, 200)
    const old = { ...history, days: history.days.map((day) => day - 900) }
    expect(forecastPair(old, AS_OF, EMPTY_CONTEXT).drivers).toEqual(['no_recent_demand'])
  })
})
