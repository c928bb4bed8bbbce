import type { Forecaster } from '../forecaster.ts'
import { levelForecaster } from '../estimators/level-forecaster.ts'
import { sba as paths } from '../estimators/sba.ts'

/** For intermittent demand: size over interval. */
export const sba: Forecaster = levelForecaster('sba', paths, [0.02, 0.05, 0.1, 0.2])
