import { EMPTY_CONTEXT } from '../../../engine/index.ts'
import type { Forecaster } from '../../../engine/forecast/forecaster.ts'
import { METHODS } from '../../../engine/forecast/methods/index.ts'
import { seasonalNaive } from '../../../engine/forecast/seasonal-naive.ts'
import { equalMix } from '../../../engine/forecast/mix.ts'
import { forecastSteps } from '../../../engine/forecast/forecast-steps.ts'
import { toSteps } from '../../../engine/series/steps.ts'
import { forecasterConformance } from '../../conformance/forecaster.ts'
import { daily, noise } from './demand.ts'

for (const method of [...METHODS, equalMix(METHODS), seasonalNaive])
  forecasterConformance({
    name: method.name,
    forecast(history, asOf, horizons) {
      const quantiles = forecastSteps(method, toSteps(history, asOf, EMPTY_CONTEXT), horizons)
      return horizons.map((_, i) => [...quantiles.subarray(3 * i, 3 * i + 3)])
    },
  })

describe('methods', () => {
  const p50 = (method: Forecaster, values: number[]) =>
    forecastSteps(method, { values: Float64Array.from(values), stepDays: 1 }, [28])[1]!
  const named = (name: string) => METHODS.find((method) => method.name === name)!

  it('have names of their own', () => {
    expect(new Set(METHODS.map(({ name }) => name)).size).toBe(METHODS.length)
  })

  it.each(['direct2', 'smoothing', 'historical-recent', 'gamma-poisson'])(
    '%s follows a level that has doubled',
    (name) => {
      const before = daily(400, () => 10)
      const after = daily(200, () => 20)
      expect(p50(named(name), [...before, ...after])).toBeGreaterThan(1.5 * 28 * 10)
    },
  )

  it.each(['tsb', 'sba'])('%s forgets a SKU that ceased to sell', (name) => {
    const random = noise(7)
    const selling = daily(300, () => (random() < 0.3 ? 4 : 0))
    const silent = daily(200, () => 0)
    const sold = p50(named(name), selling)
    expect(p50(named(name), [...selling, ...silent])).toBeLessThan(0.6 * sold)
  })

  it.each(METHODS.map(({ name }) => name))('%s covers about 80 % of Poisson demand', (name) => {
    const random = noise(11)
    let within = 0
    for (let run = 0; run < 300; run++) {
      const values = Float64Array.from(daily(365, () => poisson(2, random)))
      const [p10, , p90] = forecastSteps(named(name), { values, stepDays: 1 }, [14])
      const next = daily(14, () => poisson(2, random)).reduce((sum, value) => sum + value, 0)
      if (next >= Math.round(p10!) && next <= Math.round(p90!)) within++
    }
    expect(within / 300).toBeGreaterThan(0.7)
    expect(within / 300).toBeLessThan(0.96)
  })
})

function poisson(mean: number, random: () => number): number {
  let count = 0
  for (let product = random(); product > Math.exp(-mean); product *= random()) count++
  return count
}
