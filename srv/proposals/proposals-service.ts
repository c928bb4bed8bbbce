import type { Request } from '@sap/cds'
import { assertVisible, visibleTo } from '../authority/index.ts'
import { pastTimeIn } from '../store/decision-faults.ts'
import { OwnFlowsService } from '../cap/own-flows.ts'
import { runDetached } from '../cap/context.ts'
import { approve } from './decisions/approve.ts'
import { invalid, toRefusal } from './refusals.ts'
import { closeLoop } from './lifecycle/erp-orders.ts'
import { cancel, reject, snooze } from './decisions/decisions.ts'
import { readEvidence } from './evidence/read.ts'
import { housekeeping } from './lifecycle/housekeeping.ts'
import { listBlocked, listHistory, listProposals } from './list.ts'
import { recompute } from './policy/recompute.ts'
import { listPolicies, removePolicy, setPolicy } from './policy/rules.ts'
import { outlookOfProposal } from './reports/outlook.ts'
import { riskOfProposal } from './reports/risk.ts'
import { runProposals, supersedeOrphans } from './run/run.ts'
import { readProposal } from './lifecycle/transition.ts'
import { valueReport } from './reports/value-report.ts'

/** What is asked or decided about one proposal: of others than the user sees there is none. */
const DECISIONS = ['approve', 'decline', 'snooze', 'cancel'] as const
const ABOUT_ONE = ['find', 'history', 'evidence', 'risk', 'outlook', ...DECISIONS]

export default class ProposalsService extends OwnFlowsService {
  override async init() {
    this.before(ABOUT_ONE, (req) => assertVisible(req.user, proposalOf(req)))
    for (const decision of DECISIONS) {
      this.before(decision, ({ data }) => {
        const fault = pastTimeIn(decision, data)
        if (fault) throw invalid(fault)
      })
    }
    this.on('list', async ({ data, user }) => listProposals(data, await visibleTo(user)))
    this.on('find', ({ data }) => readProposal(data.ID))
    this.on('history', async ({ data }) => {
      await readProposal(data.ID)
      return listHistory(data)
    })
    this.on('blocked', async ({ data, user }) => listBlocked(data, await visibleTo(user)))
    this.on('approve', (req) => approve(decision(req)))
    this.on('decline', (req) => reject(decision(req)))
    this.on('snooze', (req) => snooze(decision(req)))
    this.on('cancel', (req) => cancel(decision(req)))
    this.on('risk', ({ data }) => riskOfProposal(data))
    this.on('outlook', ({ data }) => outlookOfProposal(data.ID))
    this.on('policies', ({ data }) => listPolicies(data))
    this.on('setPolicy', async (req) => {
      const { policy, changed } = await setPolicy(req.data.rule)
      if (changed) req.on('succeeded', () => void recompute(policy))
      return policy
    })
    this.on('removePolicy', async (req) => {
      const policy = await removePolicy(req.data.rule)
      req.on('succeeded', () => void recompute(policy))
    })
    this.on('evidence', ({ data }) => readEvidence(data.ID))
    this.on('valueReport', ({ data, user }) =>
      runDetached('report', async () => valueReport(data, await visibleTo(user))),
    )
    this.on('refresh', ({ data }) =>
      runDetached(`sync_${data.sync}`, async () => {
        await closeLoop(data.source)
        return runProposals(data)
      }),
    )
    this.on('abandon', ({ data }) => supersedeOrphans(data.source))
    this.on('housekeeping', () => runDetached('housekeeping', housekeeping))
    return super.init()
  }

  /** Behind every event; CAP's types do not know it. */
  async handle(req: Request): Promise<unknown> {
    try {
      // @ts-expect-error: see above.
      return await super.handle(req)
    } catch (error) {
      throw toRefusal(error)
    }
  }
}

/** A function names the proposal; an action is bound to it. */
const proposalOf = ({ data, params }: Request): number =>
  data.ID ?? (params as [{ ID: number }])[0].ID

/** What an action is given, with the proposal that it is bound to. */
function decision({ data, params }: Request) {
  const [{ ID }] = params as [{ ID: number }]
  return { ...data, ID }
}
