// The transitions between the statuses of a proposal, read once from srv/proposals/flows.cds.
import cds from '@sap/cds'
import type { ProposalStatus } from '#cds-models/restock'

/** The actions of the state machine, by a person or by the service. */
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

export interface Transition {
  from: readonly ProposalStatus[]
  to: ProposalStatus
}

/** As the model spells an enum's value. */
interface StatusSymbol {
  '#': ProposalStatus
}

interface FlowEntity {
  actions: Record<string, { '@from': StatusSymbol[]; '@to': StatusSymbol }>
  elements: { status: { default: { val: ProposalStatus } } }
}

const entity = () => cds.model!.definitions[PROPOSALS] as unknown as FlowEntity

const PROPOSALS = 'ProposalsService.Proposals'

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

/** It waits for an approval. */
export const undecidedStatuses = () => statusesBefore('approve')

/** Decides a proposal as the current user; every channel uses this. */
export async function decideProposal<T>(action: Step, ID: number, data: object): Promise<T> {
  const proposals = await cds.connect.to('ProposalsService')
  return proposals.send({ event: action, entity: PROPOSALS, params: [{ ID }], data } as never)
}
