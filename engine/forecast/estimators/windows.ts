import { MAX_SAMPLE } from '../numeric/sample.ts'
import type { Days } from '../../types.ts'

/** Past windows looked at for one horizon; more of them overlap too much to add anything. */
export const MAX_WINDOWS = MAX_SAMPLE

/** Every how many steps to take a window; no multiple of a week, so that all weekdays are seen. */
export function strideFor(available: number, stepDays: Days): number {
  const stride = Math.ceil(available / MAX_WINDOWS)
  return stepDays === 1 && stride % 7 === 0 ? stride + 1 : stride
}

/** Windows without overlap at which they weigh as much as what a model says. */
const HALF_BELIEVED = 2

/** How far past windows are windowWeight over a model: a history that holds the horizon twice, by half. */
export function windowWeight(length: number, horizon: number): number {
  const windows = Math.max(0, length - horizon) / horizon
  return windows / (windows + HALF_BELIEVED)
}
