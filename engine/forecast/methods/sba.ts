import type { Forecaster } from '../forecaster.ts'
import { fittedLevel } from '../levels/fitted-level.ts'
import { sba as path } from '../levels/sba.ts'

/** For intermittent demand: size over interval. */
export const sba: Forecaster = fittedLevel('sba', path, [0.02, 0.05, 0.1, 0.2])
