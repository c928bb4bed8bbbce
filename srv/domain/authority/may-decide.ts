// May this person, through this door, decide about this proposal at this value, and in whose name?
import { isRefusal, Refusal } from '../../base/errors.ts'
import { settings } from '../../base/settings/config.ts'
import { readRates } from '../money/index.ts'
import { statusAfter } from '../proposals/stored/flow.ts'
import { configuredAmount, type Limit, limitOf } from './limits.ts'
import {
  addApproval,
  type ApprovedSum,
  findOverLimit,
  mayReach,
  type Ordered,
  overLimit,
  type OverLimit,
  readApprovedSums,
  type Worth,
} from './over-limit.ts'
import { listApprovers } from './people.ts'
import { currentDecider, type Decider, readRights, type Right } from './rights.ts'
import { permitsRow, predicateOf } from './rows.ts'
import { noSuchProposal } from './visible.ts'

export type Answer =
  | {
      ok: true
      /** The absent person whose right is used; null for one's own. */
      inNameOf: string | null
      /** Of an approval: whether another person must agree. */
      approval: Decision['approval']
    }
  | { ok: false; reason: Refusal }

type Question = Omit<Decision, 'approval' | 'ordered'>

const mayDecide = (question: Question): Promise<Answer> => answerTo(question, orderedBy(question))

async function answerTo(question: Question, ordered: Ordered): Promise<Answer> {
  let refused: Answer | undefined
  for (const { approval, rights } of await approvalsOf(question, ordered)) {
    const answer = await decideBy({ ...question, ordered, approval }, rights)
    if (answer.ok) return answer
    refused ??= answer
  }
  return refused!
}

/** Like mayDecide, but throws the refusal. @throws Refusal */
export async function assertMayDecide(question: Question) {
  const answer = await mayDecide(question)
  if (!answer.ok) throw answer.reason
  return answer
}

/**
 * Predicts the answers if these lines of one supplier were approved one after the other. The limit of a day counts the
 * lines before each one too. Nothing is decided.
 */
export async function foreseeApprovals(questions: Question[]): Promise<Answer[]> {
  const [first] = questions
  if (!first) return []
  const sums = await readApprovedSums(first.proposal)
  const answers: Answer[] = []
  for (const question of questions) {
    const { value, proposal } = question
    const approvedToday = () => Promise.resolve(sums)
    const answer = await answerTo(question, { value, currency: proposal.currency, approvedToday })
    if (answer.ok && answer.approval !== 'first') addApproval(sums, { ...answer, ...question })
    answers.push(answer)
  }
  return answers
}

/** The most people that a sentence names. */
const MOST_NAMED = 5

/**
 * Others whose limit and rows reach what this user may not approve, if they approve nothing else for the supplier today.
 * Who is restricted to groups of SKUs is not named.
 */
export async function whoMayApprove(
  worth: Worth,
  locations: string[],
  most = MOST_NAMED,
): Promise<string[]> {
  const { id: own } = await currentDecider()
  const people = (await listApprovers()).filter(({ id }) => id !== own)
  const [rights, rates] = [await readRights(people), await readRates()]
  const reaches = ({ limits, locations: named, rows }: (typeof rights)[number]) =>
    (limits?.some((limit) => mayReach(limit, worth, rates)) ?? true) &&
    locations.every(
      (location) =>
        (named?.includes(location) ?? true) && permitsRow(rows, { location, skuGroup: null }),
    )
  return people
    .filter((_, at) => reaches(rights[at]!))
    .slice(0, most)
    .map(({ id }) => id)
}

async function decideBy(decision: Decision, rights: Right[]): Promise<Answer> {
  let kept = rights
  try {
    for (const rule of RULES) kept = await rule(decision, kept)
  } catch (error) {
    if (isRefusal(error)) return { ok: false, reason: error }
    throw error
  }
  return { ok: true, inNameOf: kept[0]!.inNameOf, approval: decision.approval }
}

/** Reads today's approvals at most once, and only if a limit of a day needs them. */
function orderedBy({ proposal, value }: Question): Ordered {
  let sums: Promise<ApprovedSum[]> | undefined
  const approvedToday = () => (sums ??= readApprovedSums(proposal))
  return { value, currency: proposal.currency, approvedToday }
}

interface Attempt {
  approval: Decision['approval']
  rights: Right[]
}

/**
 * How the decision may count: as the only approval if one of the rights suffices for it, or else as the first of two.
 */
async function approvalsOf(question: Question, ordered: Ordered): Promise<Attempt[]> {
  const { action, proposal, decider } = question
  const { rights } = decider
  if (action !== 'approve') return [{ approval: null, rights }]
  if (proposal.status === statusAfter('requestSecondApproval')) {
    return [{ approval: 'second', rights }]
  }
  const limit = limitAlone()
  if (!limit) return [{ approval: 'only', rights }]
  const [alone, others]: [Right[], Right[]] = [[], []]
  for (const right of rights) {
    const suffices = !(await findOverLimit(ordered, limit, approvedAloneBy(decider, right)))
    ;(suffices ? alone : others).push(right)
  }
  const attempts: Attempt[] = [
    { approval: 'only', rights: alone },
    { approval: 'first', rights: others },
  ]
  return attempts.filter(({ rights }) => rights.length)
}

/** The value up to which one approval suffices; null for any value. An unknown value always needs two. */
const limitAlone = () => limitOf(configuredAmount(settings().secondApproverAbove))

/** Today's approvals by this person, or by others with the same right, that no second person has confirmed. */
const approvedAloneBy = (decider: Decider, right: Right) => (sum: ApprovedSum) =>
  sum.alone &&
  [decider.id, holderOf(decider, right)].some((id) => id === sum.approver || id === sum.holder)

/** Whether a limit of a day restricts this person, so that today's approvals must be read. */
export function isHeldByDay({ keyLimit, rights }: Decider): boolean {
  const limits: (Limit | null)[] = [
    ...[keyLimit, limitAlone()],
    ...rights.flatMap((right) => right.limits ?? []),
  ]
  return limits.some((limit) => limit?.day)
}

// May the present user settle this exception, and in whose name?

interface Settled {
  ID: number
  location: string
}

/**
 * People who may decide about proposals of a pair may settle its exceptions.
 * @returns by whose right, where it is not the own one
 * @throws Refusal not_found, insufficient_scope, approval_limit_exceeded
 */
export async function assertMaySettle({ ID, location }: Settled): Promise<string | null> {
  const { rights } = await currentDecider()
  const seeing = await thoseThatSee('restock.Exceptions', ID, rights)
  if (!seeing.length) throw noSuchException(ID)
  return thoseThatHoldAt(location, seeing)[0]!.inNameOf
}

export const noSuchException = (ID: number) =>
  new Refusal('not_found', `There is no exception exc_${ID}.`)

// What a decision must satisfy, a rule each. Another rule is another entry of the list at the end.

/** What the rules read of a proposal. */
interface DecidedProposal {
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

interface Decision {
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
type Rule = (decision: Decision, rights: Right[]) => Right[] | Promise<Right[]>

/** What somebody does not see, the absent person included, is not there. */
const seesTheRow: Rule = async ({ proposal: { ID } }, rights) => {
  const kept = await thoseThatSee('restock.Proposals', ID, rights)
  if (!kept.length) throw noSuchProposal(ID)
  return kept
}

async function thoseThatSee(entity: string, ID: number, rights: Right[]): Promise<Right[]> {
  const kept: Right[] = []
  for (const right of rights) if (await sees(right, entity, ID)) kept.push(right)
  return kept
}

const sees = async ({ rows }: Right, entity: string, ID: number) =>
  !rows ||
  Boolean(await SELECT.one.from(entity).columns('ID').where({ ID }).where(predicateOf(rows)))

/** A limit may name the locations that a person decides about. */
const holdsAtTheLocation: Rule = ({ proposal: { location } }, rights) =>
  thoseThatHoldAt(location, rights)

/** @throws Refusal where there is none */
function thoseThatHoldAt(location: string, rights: Right[]): Right[] {
  const kept = rights.filter(({ locations }) => locations?.includes(location) ?? true)
  if (kept.length) return kept
  throw new Refusal('approval_limit_exceeded', `You do not decide about location ${location}.`)
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
const holderOf = ({ id }: Decider, { inNameOf }: Right) => inNameOf ?? id

/** The first that fails is the answer. */
const RULES: Rule[] = [
  seesTheRow,
  holdsAtTheLocation,
  isAnotherPersons,
  isNoKeys,
  addsNothing,
  isWithinTheKey,
  isWithinItsLimit,
]
