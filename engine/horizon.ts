import type { Days } from './types.ts'

/** The longest horizon that is forecast. */
export const MAX_HORIZON_DAYS: Days = 90
