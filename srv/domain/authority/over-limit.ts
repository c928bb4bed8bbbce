// Compares the value of an order with a limit, in any currencies. Nothing is rounded before the comparison.
import { ApprovalLocks, ApprovedValues, Proposals, readAs } from '../../base/database/entities.ts'
import { insertRows } from '../../base/database/native/bulk.ts'
import { Refusal } from '../../base/errors.ts'
import { settings } from '../../base/settings/config.ts'
import { message, type MessageArgs, type MoneyArg } from '../../base/texts/texts.ts'
import { DAY_MS, today } from '../../base/time/days.ts'
import {
  type Amount,
  type Fraction,
  fractionOf,
  isAtMost,
  Rates,
  readRates,
  toMoney,
} from '../money/index.ts'
import type { Limit } from './limits.ts'
import { readCached } from './people.ts'
import type { Decider } from './rights.ts'

/** The value to be approved, and what has been approved for its supplier today. */
export interface Ordered {
  /** Decimal string; null where it is not known. */
  value: string | null
  /** Null: the account's. */
  currency: string | null
  approvedToday: () => Promise<ApprovedSum[]>
}

/** Why a limit does not suffice: a sentence of _i18n with its values. */
export interface OverLimit {
  key: string
  args: MessageArgs
}

/**
 * An unknown value, or one in a currency without a rate, exceeds every limit.
 * @param counts which of today's approvals count together
 * @returns null if the limit suffices
 */
export async function findOverLimit(
  ordered: Ordered,
  { line, day }: Limit,
  counts: (sum: ApprovedSum) => boolean,
): Promise<OverLimit | null> {
  if (ordered.value === null) return { key: 'limit_value_unknown', args: {} }
  const amount = { value: ordered.value, currency: ordered.currency ?? settings().currency }
  const overLine = line && (await exceeds([amount], line))
  if (overLine || !day) return overLine && toldOf('limit_line', overLine, amount, line)
  const before = (await ordered.approvedToday()).filter(counts).map(toAmount)
  const overDay = await exceeds([amount, ...before], day)
  return overDay && toldOf(before.length ? 'limit_day' : 'limit_line', overDay, amount, day)
}

export const overLimit = ({ key, args }: OverLimit) =>
  new Refusal('approval_limit_exceeded', message(key, args, 'en'), { sentence: { key, args } })

const toAmount = ({ cents, currency }: ApprovedSum): Amount => ({
  value: toMoney({ numerator: BigInt(cents), denominator: 100n }),
  currency,
})

type Excess = Fraction | { unknown: string }

async function exceeds(amounts: Amount[], limit: Amount): Promise<Excess | null> {
  const isAlike = amounts.every(({ currency }) => currency === limit.currency)
  return excessOf(amounts, limit, isAlike ? NO_RATES : await readCached('rates', readRates))
}

const NO_RATES = new Rates([], '')

function excessOf(amounts: Amount[], limit: Amount, rates: Rates): Excess | null {
  const sum = rates.sumIn(limit.currency, amounts)
  return 'unknown' in sum || !isAtMost(sum, fractionOf(limit.value)) ? sum : null
}

/** Decimal strings; null where the value is not known. */
export interface Worth {
  line: string | null
  /** Of everything that would be approved for the supplier on the day. */
  day: string | null
  /** Null: the account's. */
  currency: string | null
}

/** Whether a limit suffices if nothing else is approved on the day. */
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
    return { key: 'limit_no_rate', args: { from: excess.unknown, to: currency } }
  }
  const money = (value: string, of: string): MoneyArg => ({ amount: value, currency: of })
  const told = key === 'limit_line' && amount.currency !== currency ? 'limit_line_converted' : key
  return {
    key: told,
    args: {
      value: money(amount.value, amount.currency),
      sum: money(toMoney(excess), currency),
      limit: money(limit.value, currency),
    },
  }
}

// Today's approvals for a supplier: the limit of a day is compared with their sum.

/** The sum of today's approvals with the same approver, right, key and currency. */
export interface ApprovedSum {
  approver: string
  /** Whose right was used: the approver's own, or an absent person's. */
  holder: string
  /** The API key that was used; null for none. */
  apiKey: string | null
  /** Whether one approval was enough. */
  alone: boolean
  currency: string
  /** In hundredths of the currency. */
  cents: number | string
}

interface Line {
  kind: string
  source: number
  supplier: string | null
}

interface Order {
  source: number
  /** Empty where it is not known. */
  supplier: string
}

/** The order that a line belongs to; null for a transfer, which no supplier delivers. */
const orderOf = ({ kind, source, supplier }: Line): Order | null =>
  kind === 'transfer' ? null : { source, supplier: supplier ?? '' }

/**
 * Makes every other approval for the supplier of this line wait until the transaction ends. Whoever also locks
 * proposals does this first, so that no two wait for each other.
 */
async function lockApprovals(line: Line) {
  const order = orderOf(line)
  const lockedAt = new Date().toISOString()
  // An upsert also locks a row that is not there yet.
  if (order) await UPSERT.into(ApprovalLocks).entries({ ...order, lockedAt })
}

export async function lockApprovalsOf(ID: number) {
  const row = await readAs<Omit<Line, 'source'> & { source_ID: number }>(
    SELECT.one.from(Proposals).columns('kind', 'source_ID', 'supplier').where({ ID }),
  )
  if (row) await lockApprovals({ ...row, source: row.source_ID })
}

/** Today's approvals for the supplier of a line. Under the lock they stay as they are. */
export async function readApprovedSums(line: Line): Promise<ApprovedSum[]> {
  const order = orderOf(line)
  if (!order) return []
  const alike = ['approver', 'holder', 'apiKey', 'alone', 'currency'] as const
  return readAs<ApprovedSum>(
    SELECT.from(ApprovedValues)
      .columns(...alike, 'sum(cents) as cents')
      .where({ ...order, day: today() })
      .groupBy(...alike),
  )
}

/** An approval that needs no second one. */
interface Approval {
  decider: Decider
  proposal: Line & { ID: number; currency: string | null }
  /** Decimal string with two decimals; null where it is not known. */
  value: string | null
  inNameOf: string | null
  approval: 'only' | 'first' | 'second' | null
}

/** Must be called in the transaction of the approval. */
export async function recordApproval(counted: Approval) {
  const { proposal } = counted
  const [order, sum] = [orderOf(proposal), sumOf(counted)]
  if (!order || !sum) return
  await insertRows('restock.ApprovedValues', [
    { proposal: proposal.ID, ...order, day: today(), ...sum },
  ])
}

/** Adds an approval to the sums as if it had been recorded, for a prediction. */
export function addApproval(sums: ApprovedSum[], counted: Approval) {
  const added = orderOf(counted.proposal) && sumOf(counted)
  if (!added) return
  const isAlike = (sum: ApprovedSum) =>
    (['approver', 'holder', 'apiKey', 'currency'] as const).every(
      (name) => sum[name] === added[name],
    ) && Boolean(sum.alone) === added.alone
  const alike = sums.find(isAlike)
  if (alike) alike.cents = Number(alike.cents) + added.cents
  else sums.push(added)
}

/** Null where the value is not known. */
function sumOf({ decider, proposal, value, inNameOf, approval }: Approval) {
  if (value === null) return null
  return {
    ...{ approver: decider.id, holder: inNameOf ?? decider.id, apiKey: decider.key },
    alone: approval === 'only',
    currency: proposal.currency ?? settings().currency,
    cents: Math.min(Number(value.replace('.', '')), MOST_CENTS),
  }
}

/** More than any limit that an administrator can set. */
const MOST_CENTS = Number.MAX_SAFE_INTEGER

export const removeApproval = (ID: number) => DELETE.from(ApprovedValues).where({ proposal: ID })

const KEPT_MS = 7 * DAY_MS

/** Limits concern the present day only. */
export const removeFormerApprovals = () =>
  DELETE.from(ApprovedValues).where({
    day: { '<': new Date(Date.now() - KEPT_MS).toISOString().slice(0, 10) },
  })
