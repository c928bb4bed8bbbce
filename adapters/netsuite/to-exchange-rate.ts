import type { RecordOf } from '../records.ts'
import { isRate } from '../records.ts'
import { BadValue } from '../rows/bad-value.ts'
import { dayOf } from '../rows/days.ts'
import { codeOf, currencyOf, demandDayOf } from '../rows/values.ts'
import { withZero } from './decimals.ts'
import type { RateRow } from './queries.ts'

/** What a unit of the foreign currency is worth in the base one. */
export function toExchangeRate(row: RateRow): RecordOf<'exchangeRates'> | null {
  const from = currencyOf(codeOf(row.fromcurrency, 'symbol'), 'symbol')!
  const to = currencyOf(codeOf(row.tocurrency, 'symbol'), 'symbol')!
  if (from === to) return null
  const rate = String(withZero(row.rate) ?? '')
  if (!isRate(rate)) throw new BadValue('exchangerate', 'must be a decimal number above 0')
  const validFrom = demandDayOf(dayOf(row.day, 'effectivedate'), 'effectivedate')
  return { fromCurrency: from, toCurrency: to, validFrom, rate }
}
