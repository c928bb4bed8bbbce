// Amounts of several currencies as one, where today's rates say what they are worth; never added without.
import { settings } from '../config.ts'
import { type Fraction, fractionOf, plus, toMoney, ZERO } from './fraction.ts'
import type { Rates } from './rates.ts'
import { readRates } from './read-rates.ts'

/** An amount whose currency the ERP may not name. */
export interface AnyAmount {
  /** Decimal string, also below 0. */
  value: string
  currency: string | null
}

/**
 * One amount where all are of one currency or rates lead to the account's, which is also that of amounts beside them that
 * name none; else one a currency. Empty for nothing.
 */
export async function totalOf(amounts: AnyAmount[]): Promise<AnyAmount[]> {
  const each = byCurrency(amounts)
  if (each.length < 2) return each
  const own = settings().currency
  const named = byCurrency(each.map((sum) => ({ ...sum, currency: sum.currency ?? own })))
  return named.length < 2 ? named : (inOne(named, own, await readRates()) ?? named)
}

/** Null where a rate is not known. */
export function inOne(amounts: AnyAmount[], currency: string, rates: Rates): AnyAmount[] | null {
  if (amounts.some((amount) => amount.currency === null)) return null
  const sum = rates.sumIn(currency, amounts as { value: string; currency: string }[])
  return 'unknown' in sum ? null : [{ value: signed(sum), currency }]
}

function byCurrency(amounts: AnyAmount[]): AnyAmount[] {
  const sums = new Map<string | null, Fraction>()
  for (const { value, currency } of amounts)
    sums.set(currency, plus(sums.get(currency) ?? ZERO, fractionOf(value)))
  return [...sums].map(([currency, sum]) => ({ value: signed(sum), currency }))
}

const signed = ({ numerator, denominator }: Fraction) =>
  numerator < 0n
    ? `-${toMoney({ numerator: -numerator, denominator })}`
    : toMoney({ numerator, denominator })
