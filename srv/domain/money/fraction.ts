// Exact arithmetic: amounts and rates are never rounded before they are compared.

/** An exact number; the denominator is positive. */
export interface Fraction {
  numerator: bigint
  denominator: bigint
}

export const ZERO: Fraction = { numerator: 0n, denominator: 1n }

const DECIMAL = /^(-?)(\d+)(?:\.(\d*))?(?:e([+-]?\d+))?$/i

/** @param decimal such as `10000.00`; databases also write `1e-7` */
export function fractionOf(decimal: string | number): Fraction {
  const [, sign, whole, part = '', exponent = '0'] = DECIMAL.exec(String(decimal)) ?? []
  if (whole === undefined) throw new RangeError(`${decimal} is no decimal number.`)
  const digits = BigInt(`${sign}${whole}${part}`)
  const decimals = part.length - Number(exponent)
  return decimals < 0
    ? { numerator: digits * 10n ** BigInt(-decimals), denominator: 1n }
    : { numerator: digits, denominator: 10n ** BigInt(decimals) }
}

export const plus = (a: Fraction, b: Fraction): Fraction => ({
  numerator: a.numerator * b.denominator + b.numerator * a.denominator,
  denominator: a.denominator * b.denominator,
})

export const times = (a: Fraction, b: Fraction): Fraction => ({
  numerator: a.numerator * b.numerator,
  denominator: a.denominator * b.denominator,
})

/** @param value positive */
export const inverse = ({ numerator, denominator }: Fraction): Fraction => ({
  numerator: denominator,
  denominator: numerator,
})

export const isAtMost = (a: Fraction, b: Fraction) =>
  a.numerator * b.denominator <= b.numerator * a.denominator

/** A decimal string with two places, for people: rounded half up. @param value not negative */
export function toMoney({ numerator, denominator }: Fraction): string {
  const cents = (numerator * 200n + denominator) / (denominator * 2n)
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`
}
