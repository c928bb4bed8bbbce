import type { Request } from '@sap/cds'
import {
  assertMaySetPolicy,
  assertVisible,
  rowsOf,
  visiblePolicies,
  visibleTo,
} from '../authority/index.ts'
import { pastTimeIn } from './stored/flow.ts'
import type { PolicyRule } from './policy/values.ts'
import { OwnFlowsService } from '../../base/cap/own-flows.ts'
import { runDetached } from '../../base/cap/context.ts'
import { type Approval, approveProposal } from './decide/decisions.ts'
import { invalid, toRefusal } from './refusals.ts'
import {
  type ExceptionsQuery,
  findException,
  listExceptions,
  settleException,
  type Settling,
} from './exceptions.ts'
import { measureLeadTimes } from './terms/lead-times.ts'
import { markOrderedProposals } from './decide/erp-orders.ts'
import { recalculateProposal } from './decide/housekeeping.ts'
import {
  cancelProposal,
  type Cancellation,
  rejectProposal,
  type Rejection,
  snoozeProposal,
  type Snoozing,
} from './decide/decisions.ts'
import { readEvidence } from './explain/evidence.ts'
import { runHousekeeping } from './decide/housekeeping.ts'
import { calculateStaleSources } from './decide/housekeeping.ts'
import {
  type HistoryQuery,
  listBlocked,
  listHistory,
  listProposals,
  type ListQuery,
  type PageQuery,
} from './list.ts'
import type { PolicyKey } from './policy/values.ts'
import { recomputeProposals } from './policy/recompute.ts'
import { listPolicies, type PolicyQuery, removePolicy, setPolicy } from './policy/rules.ts'
import { type AlternativesQuery, alternativesTo } from './explain/alternatives.ts'
import { type BudgetQuery, fillBudgetOf } from './reports/budget.ts'
import { bridgeOfProposal } from './explain/reasons.ts'
import { cleaningOfProposal } from './explain/reasons.ts'
import { listDeadlines, listOpenOrders } from './reports/open-orders.ts'
import { type OrderPlace, readOrderDays } from './reports/supplier-terms.ts'
import { movementsOfProposal } from './explain/reasons.ts'
import { outlookOfProposal } from './explain/outlook.ts'
import { type RiskQuery, riskOfProposal } from './explain/outlook.ts'
import { type SupplierOrderQuery, supplierOrderOf } from './reports/supplier-order.ts'
import { type SupplierTermsQuery, supplierTermsOf } from './reports/supplier-terms.ts'
import { simulate, type SimulationQuery } from './explain/simulate.ts'
import { todaysWorkOf } from './reports/todays-work.ts'
import { type WhatIfQuery, whatIfOfProposal } from './explain/alternatives.ts'
import { runProposals, supersedeOrphans } from './run/run.ts'
import { readProposal } from './decide/transition.ts'
import { type Range, valueReport } from './reports/value-report.ts'

/** What is asked or decided about one proposal: of others than the user sees there is none. */
const DECISIONS = ['approve', 'decline', 'snooze', 'cancel'] as const
const ABOUT_ONE = [
  'find',
  'history',
  'evidence',
  'risk',
  'cleaning',
  'outlook',
  'bridge',
  'whatIf',
  'alternatives',
  'movements',
  ...DECISIONS,
]

export default class ProposalsService extends OwnFlowsService {
  override async init() {
    this.before(ABOUT_ONE, (req: Request<{ ID?: number }>) =>
      assertVisible(req.user, proposalOf(req)),
    )
    for (const decision of DECISIONS) {
      this.before(decision, ({ data }: Request<object>) => {
        const fault = pastTimeIn(decision, data)
        if (fault) throw invalid(fault)
      })
    }
    this.on('list', async ({ data, user }: Request<ListQuery>) =>
      listProposals(data, await visibleTo(user)),
    )
    this.on('find', ({ data }: About) => readProposal(data.ID))
    this.on('history', async ({ data }: Request<HistoryQuery>) => {
      await readProposal(data.ID)
      return listHistory(data)
    })
    this.on('blocked', async ({ data, user }: Request<PageQuery>) =>
      listBlocked(data, await visibleTo(user)),
    )
    this.on('exceptions', async ({ data, user }: Request<ExceptionsQuery>) =>
      listExceptions(data, await visibleTo(user)),
    )
    this.on('findException', async ({ data, user }: About) =>
      findException(data.ID, await visibleTo(user)),
    )
    this.on('settleException', ({ data }: Request<Settling>) => settleException(data))
    this.on('approve', (req: Request<Omit<Approval, 'ID'>>) => approveProposal(withProposal(req)))
    this.on('decline', (req: Request<Omit<Rejection, 'ID'>>) => rejectProposal(withProposal(req)))
    this.on('snooze', (req: Request<Omit<Snoozing, 'ID'>>) => snoozeProposal(withProposal(req)))
    this.on('cancel', (req: Request<Omit<Cancellation, 'ID'>>) => cancelProposal(withProposal(req)))
    this.on('risk', ({ data }: Request<RiskQuery>) => riskOfProposal(data))
    this.on('budget', async ({ data, user }: Request<BudgetQuery>) =>
      fillBudgetOf(data, await visibleTo(user)),
    )
    this.on('todaysWork', async ({ user }) => todaysWorkOf(await visibleTo(user)))
    this.on('deadlines', async ({ data, user }: Request<{ days: number }>) =>
      listDeadlines(data.days, await visibleTo(user)),
    )
    this.on('orderDays', ({ data }: Request<{ suppliers: OrderPlace[] }>) =>
      readOrderDays(data.suppliers),
    )
    this.on('openOrders', async ({ user }) => listOpenOrders(await visibleTo(user)))
    this.on('supplierOrder', async ({ data, user }: Request<SupplierOrderQuery>) =>
      supplierOrderOf(data, await visibleTo(user)),
    )
    this.on('bridge', ({ data }: About) => bridgeOfProposal(data.ID))
    this.on('whatIf', ({ data }: Request<WhatIfQuery>) => whatIfOfProposal(data))
    this.on('alternatives', ({ data }: Request<AlternativesQuery>) => alternativesTo(data))
    this.on('movements', ({ data }: About) => movementsOfProposal(data.ID))
    this.on('cleaning', ({ data }: About) => cleaningOfProposal(data.ID))
    this.on('outlook', ({ data }: About) => outlookOfProposal(data.ID))
    this.on('evidence', ({ data }: About) => readEvidence(data.ID))
    this.on('valueReport', ({ data, user }: Request<Range>) =>
      runDetached('report', async () => valueReport(data, await visibleTo(user))),
    )
    this.on('simulate', ({ data, user }: Request<SimulationQuery>) =>
      runDetached('simulation', async () => simulate(data, await visibleTo(user))),
    )
    this.on('supplierTerms', ({ data, user }: Request<SupplierTermsQuery>) =>
      supplierTermsOf(data, rowsOf(user)?.locations ?? null),
    )
    this.on('policies', ({ data, user }: Request<PolicyQuery>) =>
      listPolicies(data, visiblePolicies(user)),
    )
    this.before(['setPolicy', 'removePolicy'], ({ data, user }: Request<{ rule: PolicyRule }>) =>
      assertMaySetPolicy(user, data.rule),
    )
    this.on('setPolicy', async (req: Request<{ rule: PolicyRule }>) => {
      const { policy, changed } = await setPolicy(req.data.rule)
      if (changed) req.on('succeeded', () => void recomputeProposals(policy))
      return policy
    })
    this.on('removePolicy', async (req: Request<{ rule: PolicyRule }>) => {
      const policy = await removePolicy(req.data.rule)
      req.on('succeeded', () => void recomputeProposals(policy))
    })
    this.on('recompute', ({ data }: Request<Omit<PolicyKey, 'level' | 'supplier'>>) => {
      void recomputeProposals({ ...data, supplier: '' })
    })
    this.on('recalculate', ({ data }: About) => recalculateProposal(data.ID))
    this.on('refresh', ({ data }: Request<RefreshTask>) =>
      runDetached(`sync_${data.sync}`, async () => {
        if (data.onlyMarked) return runProposals(data)
        await markOrderedProposals(data.source)
        await measureLeadTimes(data)
        return runProposals(data)
      }),
    )
    this.on('abandon', ({ data }: Request<{ source: number }>) => supersedeOrphans(data.source))
    this.on('housekeeping', () =>
      runDetached('housekeeping', async () => {
        await runHousekeeping()
        await calculateStaleSources()
      }),
    )
    return super.init()
  }

  /** Behind every event; CAP's types do not know it. */
  async handle(req: Request): Promise<unknown> {
    try {
      // @ts-expect-error: see above.
      return await super.handle(req) // eslint-disable-line @typescript-eslint/no-unsafe-call
    } catch (error) {
      throw toRefusal(error)
    }
  }
}

interface RefreshTask {
  source: number
  sync: number
  onlyMarked?: boolean
}

type About = Request<{ ID: number }>

/** What an action is bound to. */
const boundTo = ({ params }: Request) => params as [{ ID: number }]

/** A function names the proposal; an action is bound to it. */
const proposalOf = (req: Request<{ ID?: number }>): number => req.data.ID ?? boundTo(req)[0].ID

/** What an action is given, with the proposal that it is bound to. */
const withProposal = <Data extends object>(req: Request<Data>) => ({
  ...req.data,
  ID: boundTo(req)[0].ID,
})
