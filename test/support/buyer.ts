import cds from '@sap/cds'
import * as proposals from '../../srv/domain/proposals/index.ts'

/** A person who decides, and the channel. */
export interface Decider {
  id?: string
  via?: string
  maxOrderValue?: string
  roles?: string[]
}

const rolesOf = (id: string) =>
  id === 'approver' ? ['Viewer', 'Buyer', 'ApproverHigh'] : ['Viewer', 'Buyer']

type Data = Record<string, unknown>
type About = { ID: number }

/** What is asked and decided, by name. */
const CALLS = {
  ...{ approve: proposals.approve, decline: proposals.decline },
  ...{ snooze: proposals.snooze, cancel: proposals.cancel },
  find: ({ ID }: About) => proposals.findProposal(ID),
  ...{ list: proposals.listProposals, history: proposals.listHistory },
  ...{ blocked: proposals.listBlocked, budget: proposals.fillBudgetOf },
  evidence: ({ ID }: About) => proposals.evidenceOfProposal(ID),
  outlook: ({ ID }: About) => proposals.outlookOfProposal(ID),
  cleaning: ({ ID }: About) => proposals.cleaningOfProposal(ID),
  bridge: ({ ID }: About) => proposals.bridgeOfProposal(ID),
  ...{ risk: proposals.riskOfProposal, valueReport: proposals.valueReport },
  months: proposals.listMonths,
  exceptions: proposals.listExceptions,
  findException: ({ ID }: About) => proposals.findException(ID),
  settleException: proposals.settleException,
  removePolicy: ({ rule }: { rule: proposals.PolicyRule }) => proposals.removePolicy(rule),
  setPolicy: ({ rule }: { rule: proposals.PolicyRule }) => proposals.setPolicy(rule),
  todaysWork: () => proposals.readTodaysWork(),
  openOrders: () => proposals.listOpenOrders(),
  supplierOrder: proposals.supplierOrderOf,
  refresh: proposals.refreshProposals,
  housekeeping: () => proposals.housekeepProposals(),
}
export type Call = keyof typeof CALLS
type AnswerTo<E extends Call> = Awaited<ReturnType<(typeof CALLS)[E]>>

/** Asks or decides as this person. */
export function proposalsAs<const E extends Call>(
  { id = 'approver', via = 'api', maxOrderValue, roles = rolesOf(id) }: Decider,
  event: E,
  data: Data,
): Promise<AnswerTo<E>> {
  const attr = { via, ...(maxOrderValue ? { maxOrderValue } : {}) }
  return callAs(new cds.User({ id, roles, attr }), event, data)
}

/** The same as any user. */
export const callAs = <const E extends Call>(
  user: InstanceType<typeof cds.User>,
  event: E,
  data: Data,
): Promise<AnswerTo<E>> => cds.tx({ user } as never, () => CALLS[event](data as never) as never)

export const approve = (ID: number, data: Data = {}, who: Decider = {}) =>
  proposalsAs(who, 'approve', { ID, ...data })
