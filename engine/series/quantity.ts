import type { Units } from '../types.ts'

/** Larger quantities are taken for this one, so that sums stay exact. */
const LARGEST = 1e12
/** Fractions of a unit are told apart down to one of these. */
export const FINEST = 1000

/** What a row's quantity counts: 0 where it is no positive finite number. */
export function unitsOf(quantity: number): Units {
  if (!(quantity > 0 && quantity < Infinity)) return 0
  return quantity > LARGEST ? LARGEST : toFinest(quantity)
}

/** Rounds to thousandths, so that sums do not depend on their order. */
export const toFinest = (units: Units): Units =>
  Number.isInteger(units) ? units : Math.round(units * FINEST) / FINEST
