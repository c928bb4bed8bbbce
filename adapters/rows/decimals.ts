// Decimal text as scaled integers, because binary fractions are inexact: 0.1 + 0.2 is 0.30000000000000004.
import { memoize } from './memoize.ts'

/** Decimal places kept: quantities in S/4HANA have up to 14. */
const DECIMALS = 14
export const ONE = 10n ** BigInt(DECIMALS)
const PATTERN = /^(-?)(\d{1,18})(?:\.(\d{0,14})\d*)?$/

/** A number in units of 10⁻¹⁴. */
export type Exact = bigint

/** @param value decimal text, or a number from some V4 services @returns null where it is neither */
export const toExact = memoize((value: unknown): Exact | null => {
  const [, sign, whole, fraction = ''] = PATTERN.exec(String(value)) ?? []
  if (whole === undefined) return null
  const digits = BigInt(whole + fraction.padEnd(DECIMALS, '0'))
  return sign ? -digits : digits
})

/** Rounded toward zero. */
export const multiplyByRatio = (value: Exact, numerator: Exact, denominator: Exact): Exact =>
  (value * numerator) / denominator

export const divideExactly = (dividend: Exact, divisor: Exact): Exact => (dividend * ONE) / divisor

export function toNumber(value: Exact): number {
  const whole = value / ONE
  const rest = value % ONE
  if (rest === 0n) return Number(whole)
  return Number(`${value < 0n ? '-' : ''}${abs(whole)}.${pad(abs(rest))}`)
}

export const abs = (value: bigint) => (value < 0n ? -value : value)
const pad = (rest: bigint) => rest.toString().padStart(DECIMALS, '0')

/** Quantities of documents have three places. */
const PLACE = ONE / 1000n
export const HALF_PLACE = PLACE / 2n

/** Rounds to three places, half up; only for values that are not negative. */
export const toThreePlaces = (value: Exact): Exact => ((value + HALF_PLACE) / PLACE) * PLACE

/** Rounds to a whole number; only for values that are not negative. */
export const toWhole = (value: Exact): Exact => ((value + ONE / 2n) / ONE) * ONE

const CENT_HUNDREDTH = ONE / 10_000n

/**
 * Rounds to four places, half up; only for values that are not negative. What costs something costs at least what can be
 * stored: a screw for 0.00003 is not free.
 */
export function toMoney(value: Exact): string {
  const rounded = (value + CENT_HUNDREDTH / 2n) / CENT_HUNDREDTH || (value > 0n ? 1n : 0n)
  return `${rounded / 10_000n}.${(rounded % 10_000n).toString().padStart(4, '0')}`
}
