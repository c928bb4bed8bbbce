import type { Forecaster } from './forecaster.ts'

/**
 * The weighted mean of the methods' quantiles, level by level.
 * @param weightOf weight of method m at a horizon; they sum to 1
 */
export function mix(
  methods: readonly Forecaster[],
  weightOf: (method: number, horizon: number) => number,
): Forecaster {
  return {
    name: 'mix',
    forecast(series, horizons, out) {
      const part = new Float64Array(3 * horizons.length)
      out.fill(0, 0, part.length)
      methods.forEach((method, m) => {
        method.forecast(series, horizons, part)
        for (let i = 0; i < horizons.length; i++) {
          const weight = weightOf(m, horizons[i]!)
          for (let j = 3 * i; j < 3 * i + 3; j++) out[j]! += weight * part[j]!
        }
      })
    },
  }
}

/** All methods count alike: hard to beat where there is little past to learn weights from. */
export const equalMix = (methods: readonly Forecaster[]): Forecaster => ({
  ...mix(methods, () => 1 / methods.length),
  name: 'equal-mix',
})
