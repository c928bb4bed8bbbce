// Up to which value somebody may approve, as it is stored or configured.
import { settings } from '../config.ts'
import type { Amount } from '../money/rates.ts'
import { toDecimal } from '../store/numbers.ts'

/** What is null is not held against anything. */
export interface Limit {
  /** Of each line. */
  line: Amount | null
  /** Of all that is approved for a supplier on a day. */
  day: Amount | null
}

/** Null where the value is not limited; the limit of a day is that of a line where it has none of its own. */
export function limitOf(line: Amount | null, day: Amount | null = line): Limit | null {
  if (!line) return null
  const { approvalLimitsPer: per } = settings()
  return {
    line: per === 'supplierAndDay' ? null : line,
    day: per === 'line' ? null : (day ?? line),
  }
}

/** Without a currency it is in the account's. */
interface StoredLimit {
  maxOrderValue: string | null
  maxDayValue?: string | null
  currency?: string | null
}

export function storedLimit({ maxOrderValue, maxDayValue, currency }: StoredLimit): Limit | null {
  const amount = (decimal: string | null | undefined) => {
    const value = toDecimal(decimal, 2)
    return value === null ? null : { value, currency: currency ?? settings().currency }
  }
  return limitOf(amount(maxOrderValue), amount(maxDayValue))
}

/** @param text such as `10000.00` or `10000.00 USD` */
export function configuredAmount(text: string | null): Amount | null {
  if (text === null) return null
  const [value = '', currency = settings().currency] = text.split(' ')
  return { value, currency }
}
