import type { Days } from '../types.ts'

/** Longer ago than any series lasts, in days. */
const LONGEST = 4096

/** `weights[age in days]`, halved every `halfLife` days. */
const decay = (halfLife: Days): Float64Array =>
  Float64Array.from({ length: LONGEST }, (_, age) => 0.5 ** (age / halfLife))

/** Weights by age in days. */
export const YEARLY_DECAY = decay(365)
export const HALF_YEARLY_DECAY = decay(182)
export const WITHIN_A_YEAR = Float64Array.from({ length: LONGEST }, (_, age) => Number(age < 365))
export const EVER = new Float64Array(LONGEST).fill(1)
