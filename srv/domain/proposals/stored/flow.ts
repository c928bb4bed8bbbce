// The transitions between the statuses of a proposal, read once from srv/domain/proposals/flows.cds.
import cds from '@sap/cds'
import type { ProposalStatus } from '#cds-models/restock'
import { Refusal } from '../../../base/errors.ts'

export type Step =
  | 'approve'
  | 'requestSecondApproval'
  | 'decline'
  | 'snooze'
  | 'cancel'
  | 'supersede'
  | 'expire'
  | 'wake'
  | 'markOrdered'

interface Transition {
  from: readonly ProposalStatus[]
  to: ProposalStatus
}

/** A value of an enum, as the model spells it. */
interface StatusSymbol {
  '#': ProposalStatus
}

interface FlowEntity extends cds.linked.LinkedDefinition {
  actions: Record<string, Action & { '@from': StatusSymbol[]; '@to': StatusSymbol }>
  elements: { status: { default: { val: ProposalStatus } } }
}

/** The entity that flows.cds describes. */
const entity = () => cds.model!.definitions['ProposalsService.Proposals'] as FlowEntity

let transitions: Record<Step, Transition> | undefined

/** All steps with their statuses. */
export const proposalFlow = () => (transitions ??= readFlow())

function readFlow() {
  const steps = Object.entries(entity().actions).map(([name, action]) => {
    const from = action['@from'].map((status) => status['#'])
    return [name, { from, to: action['@to']['#'] }]
  })
  return Object.fromEntries(steps) as Record<Step, Transition>
}

/** The status of a new proposal. */
export const initialStatus = () => entity().elements.status.default.val

export const statusesBefore = (step: Step) => proposalFlow()[step].from
export const statusAfter = (step: Step) => proposalFlow()[step].to
export const allowsStep = (status: ProposalStatus, step: Step) =>
  statusesBefore(step).includes(status)

/** Open proposals are those that can still be rejected. */
export const openStatuses = () => statusesBefore('decline')
export const isOpen = (status: ProposalStatus) => allowsStep(status, 'decline')

/** The statuses in which a proposal waits for an approval. */
export const undecidedStatuses = () => statusesBefore('approve')

// Checks the parameters of a decision against srv/domain/proposals/flows.cds.

/** A fault that CAP's check or this file finds. */
interface Fault {
  /** The parameter. */
  target: string
  /** A key of _i18n/messages.json. */
  message: string
  /** The code of CAP's own text, if the model names no message. */
  code?: string
  args?: unknown[]
}

interface Action {
  params?: Record<string, { '@restock.future'?: string }>
}

const OPTIONS = { mandatories: true, cleanse: false }

type Validate = (data: object, action: Action, options: object) => Fault[] | undefined

/** CAP's own check of an action's parameters, which its types do not know. */
const { validate } = cds as object as { validate: Validate }

/** The first fault; undefined where there is none. */
export function faultIn(step: Step, data: object): Fault | undefined {
  const action = entity().actions[step]!
  return validate(data, action, OPTIONS)?.[0] ?? pastIn(action, data)
}

/** A parameter with a past time that must be in the future: CAP has no annotation that compares with now. */
function pastIn({ params = {} }: Action, data: object): Fault | undefined {
  const given = new Map<string, unknown>(Object.entries(data))
  for (const [target, { '@restock.future': message }] of Object.entries(params)) {
    if (message && !(Date.parse(String(given.get(target))) > Date.now())) return { target, message }
  }
}

/** @throws Refusal invalid_parameter */
export function assertGiven(step: Step, data: object) {
  const fault = faultIn(step, data)
  if (!fault) return
  const { target, message, code, args = [] } = fault
  const { messages } = cds.i18n
  const text = messages.at(message, 'en', args) ?? messages.at(String(code), 'en', args)
  throw new Refusal('invalid_parameter', `${target}: ${text ?? message}`, { target })
}
