import type { Forecaster } from '../forecaster.ts'
import { levelForecaster } from '../estimators/level-forecaster.ts'
import { tsb as paths } from '../estimators/tsb.ts'

/** For demand that comes and goes: chance of a sale × size. */
export const tsb: Forecaster = levelForecaster('tsb', paths, [0.005, 0.01, 0.02, 0.05])
