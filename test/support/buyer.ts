import cds from '@sap/cds'
import type { Budget } from '#cds-models/ProposalsService'
import type { ServiceRow } from '../../srv/base/database/service-row.ts'
import type { Evidence, Proposal } from '../../srv/domain/proposals/stored/proposal.ts'
import type { ServicePolicy } from '../../srv/doors/v1/resources/policies.ts'
import type { ServiceReport } from '../../srv/doors/v1/resources/reports.ts'

/** A person who decides, and the channel. */
export interface Decider {
  id?: string
  via?: string
  maxOrderValue?: string
  roles?: string[]
}

const rolesOf = (id: string) =>
  id === 'approver' ? ['Viewer', 'Buyer', 'ApproverHigh'] : ['Viewer', 'Buyer']

const DECISIONS = ['approve', 'decline', 'snooze', 'cancel']

type Data = Record<string, unknown>

/** Types of the service's answers by event; all others answer a proposal. */
interface Answers {
  budget: ServiceRow<Budget>
  evidence: Evidence
  refresh: { proposed: number; blocked: number }
  setPolicy: ServicePolicy
  valueReport: ServiceReport
  housekeeping: undefined
}
type AnswerTo<E extends string> = E extends keyof Answers ? Answers[E] : Proposal

/** Calls the proposals service as this person. */
export async function proposalsAs<const E extends string>(
  { id = 'approver', via = 'api', maxOrderValue, roles = rolesOf(id) }: Decider,
  event: E,
  data: Data,
): Promise<AnswerTo<E>> {
  const attr = { via, ...(maxOrderValue ? { maxOrderValue } : {}) }
  const user = new cds.User({ id, roles, attr })
  const service = await cds.connect.to('ProposalsService')
  const { ID, ...given } = data
  const call = DECISIONS.includes(event)
    ? { event, entity: 'ProposalsService.Proposals', params: [{ ID }], data: given }
    : { event, data }
  return service.tx({ user }, (tx) => tx.send<AnswerTo<E>>(call as never))
}

export const approve = (ID: number, data: Data = {}, who: Decider = {}) =>
  proposalsAs(who, 'approve', { ID, ...data })
