// What a decision must satisfy, a rule each. Another rule is another entry of the list at the end.
import { Refusal } from '../../base/errors.ts'
import { findOverLimit, type Ordered, overLimit, type OverLimit } from './over-limit.ts'
import type { Decider, Right } from './rights.ts'
import { predicateOf } from './rows.ts'
import { noSuchProposal } from './visible.ts'

/** What the rules read of a proposal. */
export interface DecidedProposal {
  ID: number
  kind: string
  source: number
  sku: string
  location: string
  supplier: string | null
  status: string
  quantity: number
  currency: string | null
  firstApprover: string | null
  firstApproverFor: string | null
}

export interface Decision {
  action: 'approve' | 'reject' | 'snooze' | 'cancel'
  proposal: DecidedProposal
  /** Units that would be ordered. */
  quantity: number
  /** What that would cost, a decimal string in the proposal's currency; null where it is not known. */
  value: string | null
  ordered: Ordered
  /** Of an approval: whether it is the only one, or the first or the second of two. */
  approval: 'only' | 'first' | 'second' | null
  decider: Decider
}

/**
 * Keeps those of the rights by which the decision may be taken; the first that every rule keeps is used.
 * @throws Refusal where it keeps none
 */
export type Rule = (decision: Decision, rights: Right[]) => Right[] | Promise<Right[]>

/** What somebody does not see, the absent person included, is not there. */
const seesTheRow: Rule = async ({ proposal: { ID } }, rights) => {
  const kept: Right[] = []
  for (const right of rights) if (await isSeen(ID, right)) kept.push(right)
  if (!kept.length) throw noSuchProposal(ID)
  return kept
}

const isSeen = async (ID: number, { rows }: Right) =>
  !rows ||
  Boolean(
    await SELECT.one.from('restock.Proposals').columns('ID').where({ ID }).where(predicateOf(rows)),
  )

/** A limit may name the locations that a person decides about. */
const holdsAtTheLocation: Rule = ({ proposal: { location } }, rights) => {
  const kept = rights.filter(({ locations }) => locations?.includes(location) ?? true)
  if (!kept.length) {
    throw new Refusal('approval_limit_exceeded', `You do not decide about location ${location}.`)
  }
  return kept
}

/** Two people, and the right of neither used twice. */
const isAnotherPersons: Rule = ({ approval, proposal, decider }, rights) => {
  if (approval !== 'second') return rights
  const first = [proposal.firstApprover, proposal.firstApproverFor]
  const kept = rights.filter(
    ({ inNameOf }) =>
      !first.includes(decider.id) && (inNameOf === null || !first.includes(inNameOf)),
  )
  if (!kept.length) {
    throw new Refusal('four_eyes_required', 'The second approval must be another person’s.')
  }
  return kept
}

/** The second one looks for themselves: a key may approve first only. */
const isNoKeys: Rule = ({ approval, decider }, rights) => {
  if (approval !== 'second' || decider.key === null) return rights
  throw new Refusal('four_eyes_required', 'A second approval is made by a person, not by a key.')
}

/** The second approval is of what the first one saw, or of less. */
const addsNothing: Rule = ({ approval, proposal, quantity }, rights) => {
  if (approval !== 'second' || quantity <= proposal.quantity) return rights
  const why = `The first approval is of ${proposal.quantity}: no more can be approved on top of it.`
  throw new Refusal('four_eyes_required', why, { target: 'quantity' })
}

const isWithinTheKey: Rule = async ({ action, ordered, decider }, rights) => {
  const { key, keyLimit } = decider
  if (action !== 'approve' || !keyLimit) return rights
  const over = await findOverLimit(ordered, keyLimit, ({ apiKey }) => apiKey === key)
  if (over) throw overLimit(over)
  return rights
}

/** The second approver's limit must reach; the first one's need not, but is used where it does. */
const isWithinItsLimit: Rule = async ({ action, approval, ordered, decider }, rights) => {
  if (action !== 'approve') return rights
  const kept: Right[] = []
  let reason: OverLimit | undefined
  for (const right of rights) {
    const over = await overLimitsOf(right, ordered, decider)
    if (over) reason = over
    else kept.push(right)
  }
  if (kept.length) return kept
  if (approval === 'first') return rights
  throw overLimit(reason!)
}

/** Of the limits that one right has the first that reaches suffices. @returns why none does */
async function overLimitsOf(right: Right, ordered: Ordered, decider: Decider) {
  if (!right.limits) return null
  const holder = holderOf(decider, right)
  let reason: OverLimit = { key: 'limit_none', args: {} }
  for (const limit of right.limits) {
    const over = await findOverLimit(ordered, limit, (sum) => sum.holder === holder)
    if (!over) return null
    reason = over
  }
  return reason
}

/** Whose right it is. */
export const holderOf = ({ id }: Decider, { inNameOf }: Right) => inNameOf ?? id

/** The first that fails is the answer. */
export const RULES: Rule[] = [
  seesTheRow,
  holdsAtTheLocation,
  isAnotherPersons,
  isNoKeys,
  addsNothing,
  isWithinTheKey,
  isWithinItsLimit,
]
