// May this person, through this door, decide about this proposal at this value, and in whose name?
import { isRefusal, Refusal } from '../../base/errors.ts'
import { settings } from '../../base/settings/config.ts'
import { readRates } from '../money/index.ts'
import { statusAfter } from '../proposals/stored/flow.ts'
import {
  addApproval,
  type ApprovedSum,
  findOverLimit,
  mayReach,
  type Ordered,
  readApprovedSums,
  type Worth,
} from './over-limit.ts'
import { configuredAmount, type Limit, limitOf } from './limits.ts'
import { listApprovers } from './people.ts'
import { currentDecider, type Decider, readRights, type Right } from './rights.ts'
import { permitsRow, predicateOf } from './rows.ts'
import { type Decision, holderOf, RULES } from './rules.ts'

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

export const mayDecide = (question: Question): Promise<Answer> =>
  answerTo(question, orderedBy(question))

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
  const seeing: Right[] = []
  for (const right of rights) if (await isSeen(ID, right)) seeing.push(right)
  if (!seeing.length) throw noSuchException(ID)
  const right = seeing.find(({ locations }) => locations?.includes(location) ?? true)
  if (right) return right.inNameOf
  throw new Refusal('approval_limit_exceeded', `You do not decide about location ${location}.`)
}

const isSeen = async (ID: number, { rows }: Right) =>
  !rows ||
  Boolean(
    await SELECT.one
      .from('restock.Exceptions')
      .columns('ID')
      .where({ ID })
      .where(predicateOf(rows)),
  )

export const noSuchException = (ID: number) =>
  new Refusal('not_found', `There is no exception exc_${ID}.`)
