import cds from '@sap/cds'

/** Somebody who decides, through some door. */
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

/** Calls the proposals service as this person. */
export async function proposalsAs(
  { id = 'approver', via = 'api', maxOrderValue, roles = rolesOf(id) }: Decider,
  event: string,
  data: Data,
) {
  const attr = { via, ...(maxOrderValue ? { maxOrderValue } : {}) }
  const user = new cds.User({ id, roles, attr })
  const service = await cds.connect.to('ProposalsService')
  const { ID, ...given } = data
  const call = DECISIONS.includes(event)
    ? { event, entity: 'ProposalsService.Proposals', params: [{ ID }], data: given }
    : { event, data }
  return service.tx({ user }, (tx) => tx.send(call as never))
}

export const approve = (ID: number, data: Data = {}, who: Decider = {}) =>
  proposalsAs(who, 'approve', { ID, ...data })
