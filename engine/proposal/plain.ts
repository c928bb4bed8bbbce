import type { Units } from '../types.ts'

/** Plain digits: no thousands separators, no exponent, at most three decimals. */
export function plain(units: Units): string {
  return String(Number(units.toFixed(3)))
}
