import cds from '@sap/cds'
import { runDetached } from '../cap/context.ts'
import { approve } from './decisions/approve.ts'
import { closeLoop } from './lifecycle/erp-orders.ts'
import { cancel, reject, snooze } from './decisions/decisions.ts'
import { readEvidence } from './evidence/read.ts'
import { keepHouse } from './lifecycle/housekeeping.ts'
import { listBlocked, listHistory, listProposals } from './list.ts'
import { recompute } from './policy/recompute.ts'
import { listPolicies, removePolicy, setPolicy } from './policy/rules.ts'
import { outlookOfProposal } from './reports/outlook.ts'
import { riskOfProposal } from './reports/risk.ts'
import { runProposals, supersedeOrphans } from './run/run.ts'
import { readProposal } from './lifecycle/transition.ts'
import { valueReport } from './reports/value-report.ts'

export default class ProposalsService extends cds.ApplicationService {
  override async init() {
    this.on('list', ({ data }) => listProposals(data))
    this.on('find', ({ data }) => readProposal(data.ID))
    this.on('history', async ({ data }) => {
      await readProposal(data.ID)
      return listHistory(data)
    })
    this.on('blocked', ({ data }) => listBlocked(data))
    this.on('approve', ({ data }) => approve(data))
    this.on('decline', ({ data }) => reject(data))
    this.on('snooze', ({ data }) => snooze(data))
    this.on('cancel', ({ data }) => cancel(data))
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
    this.on('valueReport', ({ data }) => runDetached('report', () => valueReport(data)))
    this.on('refresh', ({ data }) =>
      runDetached(`sync_${data.sync}`, async () => {
        await closeLoop(data.source)
        return runProposals(data)
      }),
    )
    this.on('abandon', ({ data }) => supersedeOrphans(data.source))
    this.on('keepHouse', () => runDetached('housekeeping', keepHouse))
    return super.init()
  }
}
