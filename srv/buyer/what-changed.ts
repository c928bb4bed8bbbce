// Why a proposal is not what it was yesterday: `120 → 160: on hand −40, expected demand +12`.
import type { Calculation } from '../../engine/proposal/index.ts'
import { addDays } from '../../engine/proposal/index.ts'
import { parseNumbersBefore, TOLD_NUMBERS, type ToldNumber } from '../store/numbers-before.ts'
import { dayOf, today } from '../store/today.ts'
import { message, written, writtenPrice } from '../texts.ts'

/** The elements that it is told from. */
export const CHANGED_FROM =
  'quantity,unitCost,orderBy,createdAt,further,onHand,onOrder,openProposals,p50,targetStock,' +
  'leadTimeDays,reviewPeriodDays,moq,lotSize'

type Row = { [name: string]: unknown } & {
  changed?: string | null
  createdAt?: string | null
  further?: string | null
}

/** More reasons than these are not read. */
const MOST_REASONS = 3

/** Told as what they were and are, and not as a difference. */
const AS_THEY_ARE: readonly ToldNumber[] = ['leadTimeDays', 'reviewPeriodDays', 'moq', 'lotSize']

/** Null where it is what it was yesterday. */
export function whatChanged(row: Row): string | null {
  const isOfToday = Boolean(row.createdAt) && dayOf(row.createdAt!) === today()
  if (!row.changed) return isOfToday ? message('since_new') : null
  const before = parseNumbersBefore(row.changed)
  if (dayOf(before.changedAt) < addDays(today(), -1)) return null
  const [was, now] = [before.quantity, Number(row.quantity)]
  const reasons = [...numberReasons(before.numbers, row), ...termReasons(before, row)]
  const why = reasons.slice(0, MOST_REASONS).join(', ')
  const quantity = was === now ? '' : message('since_quantity', { was, now })
  return quantity && why ? message('since_because', { quantity, why }) : quantity || why || null
}

function numberReasons(before: Partial<Record<ToldNumber, number>>, row: Row): string[] {
  const further = JSON.parse(row.further ?? '{}') as Partial<Calculation>
  const moved = TOLD_NUMBERS.flatMap((name) => {
    const [was, now] = [before[name] ?? 0, Number(row[name] ?? further[name] ?? 0)]
    return was === now ? [] : [{ name, was, now }]
  })
  // What demand or a lead time has moved says itself why the target stock is another.
  const isCaused = moved.some(({ name }) => ['p50', 'leadTimeDays'].includes(name))
  return moved
    .filter(({ name }) => !(name === 'targetStock' && isCaused))
    .map(({ name, was, now }) =>
      AS_THEY_ARE.includes(name)
        ? message(`since_${name}`, { was, now })
        : message(`since_${name}`, { change: signed(now - was) }),
    )
}

function termReasons(before: { unitCost: string | null; orderBy: string | null }, row: Row) {
  const price = [before.unitCost, row.unitCost].map((cost) => (cost == null ? null : Number(cost)))
  const [was, now] = price as [number | null, number | null]
  return [
    ...(was !== null && now !== null && was !== now
      ? [message('since_unitCost', { was: writtenPrice(was), now: writtenPrice(now) })]
      : []),
    ...(before.orderBy && row.orderBy && before.orderBy !== row.orderBy
      ? [message('since_orderBy', { was: before.orderBy, now: row.orderBy })]
      : []),
  ]
}

const signed = (amount: number) => (amount < 0 ? `−${written(-amount)}` : `+${written(amount)}`)
