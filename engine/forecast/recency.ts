import type { Days } from '../types.ts'

const LONGEST = 4096

/** `weights[age in days]`, halved every `halfLife` days. */
function decay(halfLife: Days): Float64Array {
  return Float64Array.from({ length: LONGEST }, (_, age) => 0.5 ** (age / halfLife))
}

const YEAR = decay(365)
const HALF_YEAR = decay(182)

const within = (age: Days) => Math.min(LONGEST - 1, Math.round(age))

/** Weight of an observation of that age where a year halves it. */
export const yearlyDecay = (age: Days) => YEAR[within(age)]!
/** Weight of an observation of that age where half a year halves it. */
export const halfYearlyDecay = (age: Days) => HALF_YEAR[within(age)]!
