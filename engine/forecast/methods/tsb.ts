import type { Forecaster } from '../forecaster.ts'
import { fittedLevel } from '../levels/fitted-level.ts'
import { tsb as path } from '../levels/tsb.ts'

/** For demand that comes and goes: chance of a sale × size. */
export const tsb: Forecaster = fittedLevel('tsb', path, [0.005, 0.01, 0.02, 0.05])
