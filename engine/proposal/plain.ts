import type { Units } from '../types.ts'

/** Plain digits: no thousands separators, no exponent, at most three decimals. */
export function plain(units: Units): string {
  return String(Number.isInteger(units) ? units : Number(units.toFixed(3)))
}

/** Money: plain digits with two decimals, up to four where they are used. */
export function amount(money: number): string {
  return money.toFixed(4).replace(/0{1,2}$/, '')
}
