import {
  type Answer,
  currentDecider,
  foreseeApprovals,
  withReadCache,
} from '../../authority/index.ts'
import { Proposals } from '../../../base/database/entities.ts'
import { toDecimal } from '../../../base/database/rows.ts'
import type { Facts } from '../../../base/texts/sentences.ts'
import { valueOf } from '../decide/decisions.ts'
import { rowsOfReader } from '../readers.ts'
import { needsThought } from './attention.ts'

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
