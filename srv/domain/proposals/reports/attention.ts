// Which lines deserve a look of their own: those with which waiting costs less than a line is worth are shown, and decided, as
// one by supplier; those that need thought are marked.
import { Proposals, readAs } from '../../../base/database/entities.ts'
import { toDecimal } from '../../../base/database/rows.ts'
import { settings } from '../../../base/settings/config.ts'
import type { Facts } from '../../../base/texts/sentences.ts'
import {
  type Answer,
  currentDecider,
  foreseeApprovals,
  withReadCache,
} from '../../authority/index.ts'
import { valueOf } from '../decide/decisions.ts'
import { rowsOfReader } from '../readers.ts'
import { isOpenPurchase } from './open-orders.ts'
import { within } from './value-report.ts'

type Stored = number | string | null | undefined

/** Waiting costs less than a line is worth, and so little money is at stake that it needs no thought; false where unknown. */
export const isSmall = ({ valueAtRisk, value }: { valueAtRisk?: Stored; value?: Stored }) =>
  valueAtRisk != null &&
  value != null &&
  Number(valueAtRisk) < settings().lineWorth &&
  Number(value) < settings().thoughtFrom

/** The same as a condition on columns. */
const smallCondition = () => ({
  valueAtRisk: { '<': settings().lineWorth },
  value: { '<': settings().thoughtFrom },
})

/** How many of the rows that are summed are small, as a column. */
export const countOfSmall = () =>
  `count(case when valueAtRisk < ${settings().lineWorth} and value < ${settings().thoughtFrom} then 1 end) as small` as const

interface Uncertain {
  value?: Stored
  p10?: Stored
  p90?: Stored
  /** Its numbers before they changed; null where they have not. */
  changed?: string | null
}

/** How much of its value is uncertain: value · (P90 − P10) / (P90 + P10 + 1), twice where its numbers have changed. */
export const needsThought = ({ value, p10, p90, changed }: Uncertain) => {
  const width = (Number(p90) - Number(p10)) / (Number(p90) + Number(p10) + 1)
  return Number(value ?? 0) * width * (changed ? 2 : 1) >= settings().thoughtFrom
}

/** The same as a condition on columns of these names. PostgreSQL takes the type of a number from the column that it multiplies. */
export const thoughtExpression = () => {
  const share = 1 / Math.max(settings().thoughtFrom, 0.01)
  const isAt = (times: number) =>
    `value * (p90 - p10) * ${(times * share).toFixed(12)} >= p90 + p10 + 1`
  return `(${isAt(1)} or changed is not null and ${isAt(2)})`
}

/** All small lines of a supplier in one currency. */
interface SmallLines {
  source: number
  supplier: string
  currency: string | null
  lines: number
  /** Decimal strings. */
  value: string
  valueAtRisk: string
}

/** As read from the database, which may return numbers as text. */
interface Group {
  source_ID: number
  supplier: string
  currency: string | null
  lines: number | string
  value: number | string | null
  valueAtRisk: number | string
}

/** What waiting costs most with, first. */
export async function listSmallLines(): Promise<SmallLines[]> {
  const query = SELECT.from(Proposals)
    .columns(
      ...(['source_ID', 'supplier', 'currency', 'count(*) as lines'] as const),
      ...(['sum(value) as value', 'sum(valueAtRisk) as valueAtRisk'] as const),
    )
    .where({ ...isOpenPurchase(), ...smallCondition() })
    .groupBy('source_ID', 'supplier', 'currency')
  const rows = await readAs<Group>(within(query, await rowsOfReader()))
  return rows
    .map(({ source_ID, supplier, currency, lines, value, valueAtRisk }) => ({
      ...{ source: Number(source_ID), supplier, currency, lines: Number(lines) },
      ...{ value: Number(value ?? 0).toFixed(2), valueAtRisk: Number(valueAtRisk).toFixed(2) },
    }))
    .sort((a, b) => Number(b.valueAtRisk) - Number(a.valueAtRisk))
}

/** How many of some proposals have something that is to be known before they are approved at once. */
interface LookBefore {
  lowConfidence: number
  /** With a forecast of 0. */
  noDemand: number
  thought: number
  /** That another person must approve too. */
  second: number
  /** That this user may not approve, and why the first. */
  refused: number
  refusal: Facts | null
}

// What is to be known before many are approved at once.

/** @param chosen as many as one decision takes; a quantity of null is the proposed one */
export async function lookBefore(
  chosen: { ID: number; quantity: number | null }[],
): Promise<LookBefore> {
  const visible = await rowsOfReader()
  const query = SELECT.from(Proposals)
    .columns(
      ...(['ID', 'kind', 'source_ID', 'supplier', 'sku', 'location', 'status', 'value'] as const),
      ...(['quantity', 'unitCost', 'currency', 'confidence', 'numbersBefore'] as const),
      ...(['calculation_p10', 'calculation_p50', 'calculation_p90'] as const),
    )
    .where({ ID: { in: chosen.map(({ ID }) => ID) } })
  const rows = await (visible ? query.where(visible) : query)
  const typed = new Map(chosen.map(({ ID, quantity }) => [ID, quantity]))
  const answers = await withReadCache(async () => {
    const decider = await currentDecider()
    const questions = rows.map((row) => {
      const quantity = typed.get(row.ID) ?? Number(row.quantity)
      return {
        ...{ action: 'approve' as const, decider, quantity },
        value: valueOf(toDecimal(row.unitCost, 4), quantity),
        proposal: {
          ...{ ID: row.ID, kind: row.kind!, source: row.source_ID!, supplier: row.supplier },
          ...{ sku: row.sku!, location: row.location!, status: row.status! },
          ...{ quantity: Number(row.quantity), currency: row.currency },
          ...{ firstApprover: null, firstApproverFor: null },
        },
      }
    })
    return foreseeApprovals(questions)
  })
  const refusals = answers.filter((answer) => !answer.ok)
  const count = (is: (row: (typeof rows)[number]) => boolean) => rows.filter(is).length
  return {
    lowConfidence: count(({ confidence }) => confidence === 'low'),
    noDemand: count(({ calculation_p50: p50 }) => Number(p50) === 0),
    thought: count(({ value, numbersBefore, calculation_p10: p10, calculation_p90: p90 }) =>
      needsThought({ value, p10, p90, changed: numbersBefore }),
    ),
    second: answers.filter((answer) => answer.ok && answer.approval === 'first').length,
    refused: refusals.length,
    refusal: refusals[0] ? refusalOf(refusals[0]) : null,
  }
}

/** The sentence of a refusal. */
export const refusalOf = ({ reason }: Extract<Answer, { ok: false }>): Facts => {
  const { key, args } = reason.options.sentence ?? { key: reason.code, args: {} }
  return { text: key, ...args }
}
