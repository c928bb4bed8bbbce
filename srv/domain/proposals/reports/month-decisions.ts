// What was decided in a month, by person and reason, and what edits and rejections were worth.
import { type AbcClass, byText } from '../../../../engine/index.ts'
import { PairPlanning, readAs } from '../../../base/database/entities.ts'
import { settings } from '../../../base/settings/config.ts'
import type { Predicate, User } from '../../authority/index.ts'
import { ledBy } from '../assigned/responsible.ts'
import { PolicyBook } from '../policy/book.ts'
import { type Decided, decisionsOf, type Outcome } from './decided.ts'

export interface DecisionWorth {
  currency: string
  /** What being short and carrying cost with the proposed quantities, with the decided ones, and the first less the second. */
  asProposed: string
  asDecided: string
  worth: string
}

/** Decisions of a person for a reason. */
export interface DecisionGroup {
  what: Decided['what']
  /** Null for all whose decisions the user sees as a sum alone. */
  person: string | null
  /** Of a rejection, a code; null where none was given. */
  reason: string | null
  lines: number
  /** Of those that differ from the proposal: whose days have passed, and whose have not. */
  evaluated: number
  tooRecent: number
  /** Evaluated ones without a unit cost, which are worth nothing that can be told. */
  withoutCost: number
  worth: DecisionWorth[]
}

/** Whose decisions a user sees person by person: those of all, or the own ones and those of whom the user leads. */
export type Seen = ReadonlySet<string> | null

const SEES_ALL = ['ApproverHigh', 'Admin', 'Auditor']

export async function peopleSeen(user: User): Promise<Seen> {
  if (SEES_ALL.some((role) => user.is(role))) return null
  return new Set([user.id, ...(await ledBy(user.id))])
}

type Money = Map<string, { asProposed: number; asDecided: number }>

/** Sorted by person, what and reason; those of others last. */
export async function decisionsOfMonth(
  { source, month }: { source: number; month: string },
  visible: Predicate | null,
  seen: Seen,
): Promise<DecisionGroup[]> {
  const groups = new Map<string, { group: DecisionGroup; money: Money }>()
  const range = { from: `${month}-01`, to: lastDayOf(month) }
  for await (const chunk of decisionsOf(range, visible, source)) {
    const costOf = await costsOfPairs(chunk)
    for (const decided of chunk) {
      const found = groupOf(groups, decided, seen)
      count(found, decided, costOf)
    }
  }
  return [...groups.values()]
    .map(({ group, money }) => ({ ...group, worth: worthOf(money) }))
    .sort(
      (a, b) =>
        Number(a.person === null) - Number(b.person === null) ||
        byText(a.person ?? '', b.person ?? '') ||
        ORDER.indexOf(a.what) - ORDER.indexOf(b.what) ||
        byText(a.reason ?? '', b.reason ?? ''),
    )
}

const ORDER = ['unchanged', 'edited', 'rejected']

function lastDayOf(month: string) {
  const day = new Date(`${month}-01`)
  day.setUTCMonth(day.getUTCMonth() + 1, 0)
  return day.toISOString().slice(0, 10)
}

function groupOf(
  groups: Map<string, { group: DecisionGroup; money: Money }>,
  { proposal, what }: Decided,
  seen: Seen,
) {
  const by = proposal.decidedBy
  const person = by !== null && (!seen || seen.has(by)) ? by : null
  const reason = what === 'rejected' ? proposal.reason : null
  const key = JSON.stringify([what, person, reason])
  const counts = { lines: 0, evaluated: 0, tooRecent: 0, withoutCost: 0, worth: [] }
  const found = groups.get(key) ?? { group: { what, person, reason, ...counts }, money: new Map() }
  groups.set(key, found)
  return found
}

function count(
  { group, money }: { group: DecisionGroup; money: Money },
  { proposal, what, outcome }: Decided,
  costOf: CostOf,
) {
  group.lines++
  if (what === 'unchanged') return
  if (!outcome) return void group.tooRecent++
  group.evaluated++
  if (proposal.unitCost === null) return void group.withoutCost++
  const currency = proposal.currency ?? ''
  const sum = money.get(currency) ?? { asProposed: 0, asDecided: 0 }
  sum.asProposed += costOf(proposal, outcome.system)
  sum.asDecided += costOf(proposal, outcome.buyer)
  money.set(currency, sum)
}

type CostOf = (proposal: Decided['proposal'], outcome: Outcome) => number

/** Units short and stock carried over the days of an order, at the costs in force now. */
async function costsOfPairs(chunk: Decided[]): Promise<CostOf> {
  const changed = chunk.filter(({ outcome }) => outcome).map(({ proposal }) => proposal)
  if (!changed.length) return () => 0
  const rows = await readAs<{ ID: number; skuGroup: string | null; abcClass: AbcClass | null }>(
    SELECT.from(PairPlanning)
      .columns('ID', 'skuGroup', 'abcClass')
      .where({ ID: { in: changed.map(({ series }) => series) } }),
  )
  const rowOf = new Map(rows.map((row) => [Number(row.ID), row]))
  const subjectOf = ({ sku, location, supplier, series }: Decided['proposal']) => ({
    ...{ sku, location, supplier },
    skuGroup: rowOf.get(series)?.skuGroup ?? null,
    abcClass: rowOf.get(series)?.abcClass ?? null,
  })
  const book = await PolicyBook.read(changed.map(subjectOf))
  const { stockoutCostShare, carryingCostSharePerYear } = settings()
  return (proposal, { unitsShort, averageStock }) => {
    const rules = book.of(subjectOf(proposal))
    const short = rules.decide('stockoutCostShare', null, stockoutCostShare).value!
    const carrying = rules.decide('carryingCostSharePerYear', null, carryingCostSharePerYear).value!
    const { horizonDays } = proposal.calculation
    const carried = (averageStock * carrying * horizonDays) / 365
    return Number(proposal.unitCost) * (unitsShort * short + carried)
  }
}

const worthOf = (money: Money): DecisionWorth[] =>
  [...money]
    .sort(([a], [b]) => byText(a, b))
    .map(([currency, { asProposed, asDecided }]) => ({
      currency,
      asProposed: asProposed.toFixed(2),
      asDecided: asDecided.toFixed(2),
      worth: (asProposed - asDecided).toFixed(2),
    }))
