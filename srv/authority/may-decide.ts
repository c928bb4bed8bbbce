// May this person, through this door, decide about this proposal at this value, and in whose name?
import { settings } from '../config.ts'
import { statusAfter } from '../store/proposal-flow.ts'
import { isRefusal, type Refusal } from '../errors.ts'
import { type Decision, RULES } from './rules.ts'

export type Answer =
  | {
      ok: true
      /** The absent person whose right is used; null for the user's own right. */
      inNameOf: string | null
      /** For an approval: whether a second person must agree. */
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

/** Returns only where the decision is allowed. @throws Refusal */
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

/** An unknown value needs a second approval wherever a threshold is configured. */
export function needsSecondApprover(value: string | null): boolean {
  const above = settings().secondApproverAbove
  return above != null && (value === null || Number(value) > Number(above))
}
