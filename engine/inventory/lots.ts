import type { Units } from '../types.ts'

export interface LotRule {
  /** The least quantity of an order; fractions count. */
  moq: Units
  /** An order is a multiple of it. */
  lotSize: Units
}

/** More lots than this to reach a whole number, and the lot size cannot be meant for whole orders. */
const MOST_LOTS_A_STEP = 20

/**
 * The least whole number that is a multiple of the lot size; every orderable quantity is a multiple
 * of it. 40 for 40, 5 for 2.5, 1 for 0.25. Null where it takes more than 20 lots (0.333): then the
 * unit of the lot size is not the unit of the order.
 */
export function wholeStep(lotSize: Units): Units | null {
  for (let lots = 1; lots <= MOST_LOTS_A_STEP; lots++) {
    const units = lots * lotSize
    const whole = Math.round(units)
    if (whole >= 1 && Math.abs(units - whole) <= 1e-9 * whole) return whole
  }
  return null
}

/**
 * Lot rounding: Q = m·⌈max(N, moq)/m⌉ (whole units) for N > 0, else 0; m is the lot size, or its
 * least whole multiple where it is a fraction.
 *
 * Source: Hadley, Whitin, Analysis of Inventory Systems, 1963, ch. 5, orders of n lots.
 * @throws RangeError where `wholeStep` knows no step
 */
export function roundToLots(units: Units, { moq, lotSize }: LotRule): Units {
  if (units <= 0) return 0
  const step = wholeStep(lotSize)
  if (step === null) throw new RangeError(`No whole order is a multiple of ${lotSize}`)
  return ceilTo(Math.max(units, moq), step)
}

/** The least multiple of `step` that is ≥ units; a millionth of a unit is noise, not a lot. */
export function ceilTo(units: Units, step: Units): Units {
  return Math.ceil((units - 1e-6) / step) * step
}

/** The greatest multiple of `step` that is ≤ units. */
export function floorTo(units: Units, step: Units): Units {
  return Math.floor((units + 1e-6) / step) * step
}
