// Decimal text as exact integers, because sums and quotients of binary fractions are not what people
// compute: 0.1 + 0.2 would be 0.30000000000000004.
import { memoize } from './memoize.ts'

/** The most decimals that a field of an ERP has: S/4HANA knows quantities of 14. */
const DECIMALS = 14
export const ONE = 10n ** BigInt(DECIMALS)
const PATTERN = /^(-?)(\d{1,18})(?:\.(\d{0,14})\d*)?$/

/** A number in units of 10⁻¹⁴. */
export type Exact = bigint

/** @param value decimal text, or the number that some V4 services give; null where it is none */
export const toExact = memoize((value: unknown): Exact | null => {
  const [, sign, whole, fraction = ''] = PATTERN.exec(String(value)) ?? []
  if (whole === undefined) return null
  const digits = BigInt(whole + fraction.padEnd(DECIMALS, '0'))
  return sign ? -digits : digits
})

/** Rounded toward zero where it does not come out even. */
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

/** To three places, half up; for what is not negative. */
export const toThreePlaces = (value: Exact): Exact => ((value + HALF_PLACE) / PLACE) * PLACE

/** The nearest whole number; for what is not negative. */
export const toWhole = (value: Exact): Exact => ((value + ONE / 2n) / ONE) * ONE

const CENT_HUNDREDTH = ONE / 10_000n

/** A decimal with four places, half rounded up; for what is not negative. */
export function toMoney(value: Exact): string {
  const rounded = (value + CENT_HUNDREDTH / 2n) / CENT_HUNDREDTH
  return `${rounded / 10_000n}.${(rounded % 10_000n).toString().padStart(4, '0')}`
}
