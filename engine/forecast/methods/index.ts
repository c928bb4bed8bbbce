import type { Forecaster } from '../forecaster.ts'
import { direct2 } from './direct2.ts'
import { direct2Empirical } from './direct2-empirical.ts'
import { gammaPoisson } from './gamma-poisson.ts'
import { historicalAll, historicalRecent, historicalYear } from './historical.ts'
import { sba } from './sba.ts'
import { simpleSmoothing } from './smoothing.ts'
import { tsb } from './tsb.ts'

/** The local methods. Their order is part of a stored calibration: append only. */
export const METHODS: readonly Forecaster[] = [
  direct2,
  direct2Empirical,
  historicalRecent,
  historicalYear,
  historicalAll,
  simpleSmoothing,
  tsb,
  sba,
  gammaPoisson,
]
