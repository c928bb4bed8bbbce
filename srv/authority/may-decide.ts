// May this person, through this door, decide about this proposal at this value, and in whose name?
import { settings } from '../config.ts'
import { statusAfter } from '../store/proposal-flow.ts'
import { isRefusal, type Refusal } from '../errors.ts'
import { type Decision, RULES } from './rules.ts'

export type Answer =
  | {
      ok: true
      /** By whose right, where it is not the own one. */
      inNameOf: string | null
      /** Of an approval: whether another person must agree. */
      approval: Decision['approval']
    }
  | { ok: false; reason: Refusal }

type Question = Omit<Decision, 'approval'>

export async function mayDecide(question: Question): Promise<Answer> {
  const decision = { ...question, approval: approvalOf(question) }
  let { rights } = question.decider
  try {
    for (const rule of RULES) rights = await rule(decision, rights)
  } catch (error) {
    if (isRefusal(error)) return { ok: false, reason: error }
    throw error
  }
  return { ok: true, inNameOf: rights[0]!.inNameOf, approval: decision.approval }
}

/** The same, for whoever goes on only if it is so. @throws Refusal */
export async function assertMayDecide(question: Question) {
  const answer = await mayDecide(question)
  if (!answer.ok) throw answer.reason
  return answer
}

function approvalOf({ action, proposal, value }: Question): Decision['approval'] {
  if (action !== 'approve') return null
  if (proposal.status === statusAfter('requestSecondApproval')) return 'second'
  return needsSecondApprover(value) ? 'first' : 'only'
}

/** A value that is not known always needs one where this is on. */
export function needsSecondApprover(value: string | null): boolean {
  const above = settings().secondApproverAbove
  return above != null && (value === null || Number(value) > Number(above))
}
