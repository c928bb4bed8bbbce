// Holds what would be ordered against a limit, in whatever currencies the two are. Nothing is rounded before.
import { settings } from '../../base/settings/config.ts'
import { Refusal } from '../../base/errors.ts'
import {
  type Amount,
  type Fraction,
  fractionOf,
  isAtMost,
  Rates,
  readRates,
  toMoney,
} from '../money/index.ts'
import { message, type Places } from '../../base/texts/texts.ts'
import type { ApprovedSum } from './approved-values.ts'
import type { Limit } from './limits.ts'
import { once } from './people.ts'

/** What would be approved, and what has been approved for its supplier today. */
export interface Ordered {
  /** Decimal string; null where it is not known. */
  value: string | null
  /** Null: the account's. */
  currency: string | null
  approvedToday: () => Promise<ApprovedSum[]>
}

/** Why a limit does not reach: a sentence of _i18n. */
export interface OverLimit {
  key: string
  places: Places
}

/**
 * A value that is not known, and one whose currency has no rate, are over every limit.
 * @param counts which of today's approvals count together
 * @returns null where the limit reaches
 */
export async function findOverLimit(
  ordered: Ordered,
  { line, day }: Limit,
  counts: (sum: ApprovedSum) => boolean,
): Promise<OverLimit | null> {
  if (ordered.value === null) return { key: 'limit_value_unknown', places: {} }
  const amount = { value: ordered.value, currency: ordered.currency ?? settings().currency }
  const overLine = line && (await exceeds([amount], line))
  if (overLine || !day) return overLine && toldOf('limit_line', overLine, amount, line)
  const before = (await ordered.approvedToday()).filter(counts).map(toAmount)
  const overDay = await exceeds([amount, ...before], day)
  return overDay && toldOf(before.length ? 'limit_day' : 'limit_line', overDay, amount, day)
}

export const overLimit = ({ key, places }: OverLimit) =>
  new Refusal('approval_limit_exceeded', message(key, places, 'en'), { sentence: { key, places } })

const toAmount = ({ cents, currency }: ApprovedSum): Amount => ({
  value: toMoney({ numerator: BigInt(cents), denominator: 100n }),
  currency,
})

type Excess = Fraction | { unknown: string }

async function exceeds(amounts: Amount[], limit: Amount): Promise<Excess | null> {
  const isAlike = amounts.every(({ currency }) => currency === limit.currency)
  return excessOf(amounts, limit, isAlike ? NO_RATES : await once('rates', readRates))
}

const NO_RATES = new Rates([], '')

function excessOf(amounts: Amount[], limit: Amount, rates: Rates): Excess | null {
  const sum = rates.sumIn(limit.currency, amounts)
  return 'unknown' in sum || !isAtMost(sum, fractionOf(limit.value)) ? sum : null
}

/** Decimal strings; null where the value is not known. */
export interface Worth {
  line: string | null
  /** Of all that would be approved for the supplier on the day. */
  day: string | null
  /** Null: the account's. */
  currency: string | null
}

/** Whether a limit may reach: as long as nothing else is approved on the day. No limit always does. */
export function mayReach(limit: Limit | null, worth: Worth, rates: Rates): boolean {
  const currency = worth.currency ?? settings().currency
  return (['line', 'day'] as const).every((each) => {
    const [most, value] = [limit?.[each], worth[each]]
    return !most || (value !== null && !excessOf([{ value, currency }], most, rates))
  })
}

function toldOf(key: string, excess: Excess, amount: Amount, limit: Amount): OverLimit {
  const { currency } = limit
  if ('unknown' in excess) {
    return { key: 'limit_no_rate', places: { from: excess.unknown, to: currency } }
  }
  const sum = `${toMoney(excess)} ${currency}`
  const value = `${amount.value} ${amount.currency}`
  const shown = key === 'limit_line' && amount.currency !== currency ? `${value} (${sum})` : value
  return { key, places: { value: shown, sum, limit: `${limit.value} ${currency}` } }
}
