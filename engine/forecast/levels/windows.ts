import { MAX_SAMPLE } from '../numeric/sample.ts'
import type { Days } from '../../types.ts'

/** Past windows looked at for one horizon; more of them overlap too much to add anything. */
export const MAX_WINDOWS = MAX_SAMPLE

/** Every how many steps to take a window; no multiple of a week, so that all weekdays are seen. */
export function strideFor(available: number, stepDays: Days): number {
  const stride = Math.ceil(available / MAX_WINDOWS)
  return stepDays === 1 && stride % 7 === 0 ? stride + 1 : stride
}
