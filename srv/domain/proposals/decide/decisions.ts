// Decisions of people: approving, rejecting, snoozing and cancelling, for those who may approve at the location.
import {
  type Calculation,
  inputChanges,
  isStale,
  orderableQuantity,
  type ProposalInput,
  propose,
  quantityOfPair,
} from '../../../../engine/proposal/index.ts'
import { inTransaction } from '../../../base/cap/context.ts'
import { toDecimal } from '../../../base/database/rows.ts'
import { Refusal } from '../../../base/errors.ts'
import { APPROVING_ROLES } from '../../../base/roles.ts'
import { settings } from '../../../base/settings/config.ts'
import { toSnake } from '../../../base/texts/case.ts'
import {
  assertMayDecide,
  currentDecider,
  isHeldByDay,
  lockApprovalsOf,
  recordApproval,
  removeApproval,
} from '../../authority/index.ts'
import { assertRole, rowsOfReader } from '../readers.ts'
import { allowsStep, assertGiven, statusAfter, type Step } from '../stored/flow.ts'
import { changesSince, type TermChange } from '../stored/terms.ts'
import { readInputsOf, transferableQuantity } from '../terms/pair-inputs.ts'
import { readOtherSupply } from '../terms/supply.ts'
import { type Proposal, unitCostOf } from '../to-proposal.ts'
import {
  actor,
  alreadyDecided,
  isExpired,
  lockProposal,
  readProposal,
  transition,
} from './transition.ts'

/** A decision as the doors call it: it requires an approving role and parameters that flows.cds allows. */
const decision =
  <Input extends { ID: number }>(step: Step, decide: (input: Input) => Promise<Proposal>) =>
  (input: Input) =>
    inTransaction(async () => {
      assertRole(APPROVING_ROLES)
      const { ID: _, ...given } = input
      assertGiven(step, given)
      return decide(input)
    })

export const approve = decision('approve', approveProposal)
/** Rejects a proposal. Rejecting it again changes nothing. */
export const decline = decision('decline', rejectProposal)
export const snooze = decision('snooze', snoozeProposal)
/** Cancels an approved proposal that the ERP has no order for yet. */
export const cancel = decision('cancel', cancelProposal)

type Action = 'reject' | 'snooze' | 'cancel'

/** Locks a proposal that the user sees; one that they do not see stays free for others. */
async function lockForReader(ID: number, { withApprovals = false } = {}): Promise<Proposal> {
  const visible = await rowsOfReader()
  if (visible) await readProposal(ID, { visible })
  if (withApprovals) await lockApprovalsOf(ID)
  return lockProposal(ID, visible)
}

/** Locks a proposal and asserts that the current user may decide about it. */
async function lockForDecision(
  ID: number,
  action: Action,
): Promise<{ proposal: Proposal; onBehalfOf: string | null }> {
  const decider = await currentDecider()
  const proposal = await lockForReader(ID)
  const { quantity, value } = proposal
  const { inNameOf } = await assertMayDecide({ action, decider, proposal, quantity, value })
  if (isExpired(proposal)) throw alreadyDecided({ ID, status: statusAfter('expire') })
  return { proposal, onBehalfOf: inNameOf }
}

/** A proposal that is already decided is refused as such, even if its terms have changed too. */
function assertAllowed(proposal: Proposal, step: Step, seen: Seen) {
  if (!allowsStep(proposal.status, step)) throw alreadyDecided(proposal)
  assertAsSeen(proposal, seen)
}

/** In hundredths of the currency; the largest value that the column can store. */
const LARGEST_VALUE = 10n ** 19n

/** The exact value as a decimal string; null where the cost is unknown or the value too large to store. */
export function valueOf(unitCost: string | null, quantity: number): string | null {
  if (unitCost === null) return null
  const cost = BigInt(toDecimal(unitCost, 4)!.replace('.', ''))
  const cents = (cost * BigInt(quantity) + 50n) / 100n
  if (cents >= LARGEST_VALUE) return null
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`
}

interface Rejection extends Seen {
  ID: number
  reason?: string | null
  comment?: string | null
}

async function rejectProposal({ ID, reason, comment, ...seen }: Rejection) {
  const { onBehalfOf, proposal } = await lockForDecision(ID, 'reject')
  if (proposal.status === statusAfter('decline')) return proposal
  assertAllowed(proposal, 'decline', seen)
  const set = { ...decided(), reason: reason ?? null }
  const change = { step: 'decline', comment: comment ?? reason, onBehalfOf } as const
  return transition(proposal, { ...change, set })
}

interface Snoozing extends Seen {
  ID: number
  until: string
}

async function snoozeProposal({ ID, until, ...seen }: Snoozing) {
  const { onBehalfOf, proposal } = await lockForDecision(ID, 'snooze')
  assertAllowed(proposal, 'snooze', seen)
  const set = { snoozedUntil: new Date(until).toISOString(), touched: true }
  const change = { step: 'snooze', comment: until, onBehalfOf } as const
  return transition(proposal, { ...change, set })
}

interface Cancellation extends Seen {
  ID: number
  reason: string
  comment?: string | null
}

async function cancelProposal({ ID, reason, comment, ...seen }: Cancellation) {
  const { onBehalfOf, proposal } = await lockForDecision(ID, 'cancel')
  assertAllowed(proposal, 'cancel', seen)
  await removeApproval(ID)
  const set = { ...decided(), reason, flag: null }
  const change = { step: 'cancel', comment, onBehalfOf } as const
  return transition(proposal, { ...change, set })
}

const decided = () => ({
  touched: true,
  decidedBy: actor().id,
  decidedAt: new Date().toISOString(),
})

interface Approval extends Seen {
  ID: number
  quantity?: number | null
  comment?: string | null
}

/** Approves a proposal. The checks are in the order that /v1 documents; the first that fails is thrown. */
async function approveProposal({ ID, quantity, comment, ...seen }: Approval) {
  const decider = await currentDecider()
  const proposal = await lockForReader(ID, { withApprovals: isHeldByDay(decider) })
  const ordered = quantity ?? proposal.quantity
  const isSame = ordered === proposal.quantity && !hasMoved(proposal, seen)
  if (proposal.status === statusAfter('approve') && isSame) return proposal
  if (isExpired(proposal)) throw alreadyDecided({ ID, status: statusAfter('expire') })
  if (!allowsStep(proposal.status, 'approve')) throw alreadyDecided(proposal)
  assertAsSeen(proposal, seen)
  await assertFresh(proposal, ordered)
  assertOrderable(proposal, ordered)
  const unitCost = unitCostOf(proposal.unitCost, proposal.calculation, ordered)
  const value = valueOf(unitCost, ordered)
  const question = { action: 'approve', decider, proposal, quantity: ordered, value } as const
  const { inNameOf: onBehalfOf, approval } = await assertMayDecide(question)
  const set = { quantity: ordered, unitCost, value, touched: true }
  if (approval === 'first') {
    const first = { firstApprover: decider.id, firstApproverFor: onBehalfOf }
    const change = { step: 'requestSecondApproval', comment, onBehalfOf } as const
    return transition(proposal, { ...change, set: { ...set, ...first } })
  }
  await recordApproval({ decider, proposal, value, inNameOf: onBehalfOf, approval })
  const decision = { decidedBy: decider.id, decidedAt: new Date().toISOString() }
  const change = { step: 'approve', comment, onBehalfOf } as const
  return transition(proposal, { ...change, set: { ...set, ...decision } })
}

/** @throws Refusal `quantity_not_orderable`, the nearest valid quantities in `details` */
export function assertOrderable(proposal: Proposal, quantity: number) {
  const { moq, lotSize, quantity: calculated, limit: maximum } = proposal.calculation
  const answer = orderableQuantity(quantity, { moq, lotSize, calculated, maximum })
  if (answer.ok) return
  const orderable = [answer.below, answer.above].filter((each) => each !== null)
  throw new Refusal(
    'quantity_not_orderable',
    `${quantity} cannot be ordered: ${quantityRule(answer.breaks, proposal)}.`,
    {
      target: 'quantity',
      details: orderable.map((each) => ({
        code: 'nearest_quantity',
        message: String(each),
        target: 'quantity',
      })),
    },
  )
}

function quantityRule(breaks: 'moq' | 'lot_size' | 'maximum', { calculation }: Proposal) {
  if (breaks === 'moq') return `at least ${calculation.moq} (moq)`
  if (breaks === 'lot_size') return `only multiples of ${calculation.lotSize} (lot_size)`
  const { limit = Infinity, quantity } = calculation
  if (limit < 10 * quantity) return `at most ${limit} (limit)`
  return `at most 10 times the calculated ${quantity}`
}

// A decision is only about the terms that the person saw: if they have changed since, it is refused.

/** The version that the person was shown, where the door knows it. */
interface Seen {
  /** If given, only this version may be decided. */
  expectedVersion?: number | null
  /** If given, only a proposal with the terms of this version may be decided. */
  seenVersion?: number | null
}

/** Whether the terms differ from those that were shown. */
function hasMoved(proposal: Proposal, { expectedVersion, seenVersion }: Seen): boolean {
  const version = seenVersion ?? expectedVersion
  return version != null && changesSince(proposal, version)?.length !== 0
}

/** @throws Refusal `version_mismatch`, with what differs in `changes` */
export function assertAsSeen(proposal: Proposal, seen: Seen) {
  const { expectedVersion } = seen
  const isOtherVersion = expectedVersion != null && expectedVersion !== proposal.version
  if (isOtherVersion || hasMoved(proposal, seen)) {
    throw versionMismatch(proposal, (seen.seenVersion ?? expectedVersion)!)
  }
}

function versionMismatch(proposal: Proposal, shown: number) {
  const { ID, version } = proposal
  const changes = changesSince(proposal, shown) ?? []
  const what = changes.map(({ term, was, now }) => `${nameOf(term)} was ${was}, is ${now}`)
  const details = changes.length ? `: ${what.join('; ')}` : ''
  return new Refusal(
    'version_mismatch',
    `prop_${ID} is at version ${version}, not ${shown}${details}.`,
    {
      target: 'expected_version',
      members: { current_version: version, changes: changes.map(toMember) },
    },
  )
}

const nameOf = (term: TermChange['term']) => (term === 'orderBy' ? 'order_by' : term)
const toMember = ({ term, ...values }: TermChange) => ({ term: nameOf(term), ...values })

// An approval is of numbers that still hold: today's data must give the same.

const snakeMembers = (calculation: Calculation) =>
  Object.fromEntries(Object.entries(calculation).map(([name, value]) => [toSnake(name), value]))

/**
 * Compares the inputs of the proposal's calculation with the current ones.
 * @param ordered the quantity to be approved, whose price is compared
 * @throws Refusal `proposal_stale`, with the changed inputs in `details` and the new calculation in `fresh` (null if none is
 * possible)
 */
async function assertFresh(proposal: Proposal, ordered: number) {
  const now = await readInputsOf(proposal)
  if (!now?.input) throw stale(proposal, 'its demand is no longer known', [])
  const { incoming, outgoing } = await readOtherSupply(proposal)
  const input = now.input(incoming, outgoing)
  if (proposal.kind === 'transfer') return assertTransferable(proposal, input)
  const result = propose(input)
  if (result.kind === 'blocked') {
    throw stale(proposal, result.missing.map(({ reason }) => reason).join(' '), [])
  }
  const { calculation } = result
  const before = withoutRaise(proposal.calculation)
  const terms = changedTerms(
    { ...proposal, unitCost: unitCostOf(proposal.unitCost, proposal.calculation, ordered) },
    {
      supplier: now.supplier,
      currency: now.currency,
      unitCost: unitCostOf(now.unitCost, calculation, ordered),
    },
  )
  const isChanged = isStale(before, calculation, settings().staleTolerance)
  if (!isChanged && !terms.length) return
  const moved = [...inputChanges(proposal.calculation, calculation), ...terms]
  const details = moved.map(({ input, before, after }) => ({
    code: 'input_changed',
    message: `${toSnake(input)} was ${before} and is ${after} now`,
    target: toSnake(input),
  }))
  const why = isChanged
    ? `${calculation.quantity} would be proposed now`
    : 'its supplier, cost or currency has changed'
  throw stale(proposal, why, details, {
    quantity: calculation.quantity,
    calculation: snakeMembers(calculation),
  })
}

interface Term {
  input: string
  before: string | null
  after: string | null
}

type Terms = Pick<Proposal, 'supplier' | 'unitCost' | 'currency'>

/** Supplier, unit cost and its currency if they have changed, since whoever approves must know them. */
function changedTerms({ supplier, unitCost, currency }: Terms, now: Terms): Term[] {
  const terms: Term[] = []
  if (supplier !== now.supplier) {
    terms.push({ input: 'supplier', before: supplier, after: now.supplier })
  }
  const after = toDecimal(now.unitCost, 4)
  if (unitCost !== null && after !== null && currency !== now.currency)
    terms.push({ input: 'currency', before: currency, after: now.currency })
  if (unitCost !== null && after !== null) {
    const change = Math.abs(Number(after) - Number(unitCost))
    const isOther = change > Number(unitCost) * settings().staleTolerance
    if (isOther) terms.push({ input: 'unitCost', before: unitCost, after })
  }
  return terms
}

async function assertTransferable(proposal: Proposal, input: ProposalInput) {
  const quantity = await transferableQuantity(proposal, input)
  const before = { quantity: proposal.calculation.quantity, lotSize: 1 }
  if (!isStale(before, { quantity, lotSize: 1 }, settings().staleTolerance)) return
  const why = `${quantity} can be transferred from ${proposal.fromLocation} and are needed now`
  throw stale(proposal, why, [], { quantity, calculation: snakeMembers(proposal.calculation) })
}

/** The calculation without the units that were added to fill the supplier's order. */
const withoutRaise = (calculation: Calculation) => ({
  quantity: quantityOfPair(calculation),
  lotSize: calculation.lotSize,
})

const stale = (
  { ID, calculation }: Proposal,
  why: string,
  details: { code: string; message: string; target: string }[],
  fresh: { quantity: number; calculation: object } | null = null,
) =>
  new Refusal(
    'proposal_stale',
    `prop_${ID} was calculated as ${calculation.quantity} from numbers that have changed: ${why}.`,
    { details, members: { fresh } },
  )
