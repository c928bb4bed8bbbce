// Counts of open proposals, and the age of the data, for the head of the app.
import cds from '@sap/cds'
import { initialStatus, undecidedStatuses } from '../store/proposal-flow.ts'
import { rolesOf } from '../authority/index.ts'
import { isDueNow } from '../store/due.ts'
import { Syncs } from '../store/entities.ts'
import { readSourceStates } from '../store/source-states.ts'
import { mayDecide } from './computed-elements.ts'

interface Count {
  status: string
  urgency: string
  count: number
}

export async function readOverview(service: cds.ApplicationService) {
  const user = cds.context!.user
  const counts = (await service.run(
    SELECT.from('BuyerService.Proposals')
      .columns('status', 'urgency', 'count(*) as count')
      .where({ status: { in: undecidedStatuses() } })
      .groupBy('status', 'urgency'),
  )) as Count[]
  const [{ due }] = (await service.run(
    SELECT.from('BuyerService.Proposals')
      .columns('count(*) as due')
      .where({ status: initialStatus() })
      .where(await isDueNow('source')),
  )) as [{ due: number }]
  const sum = (keep: (row: Count) => boolean) =>
    counts.filter(keep).reduce((total, { count }) => total + Number(count), 0)
  const pending = ({ status }: Count) => status === initialStatus()
  const [{ blocked }] = (await service.run(
    SELECT.from('BuyerService.Blocked').columns('count(*) as blocked'),
  )) as [{ blocked: number }]
  const { failing: failingSources, ...data } = await readSourceStates()
  const running: unknown = await SELECT.one
    .from(Syncs)
    .columns('ID')
    .where({ status: { in: ['queued', 'running'] } })
  return {
    user: user.id,
    mayDecide: mayDecide(),
    roles: rolesOf(user).join(','),
    pending: sum(pending),
    due: Number(due),
    stockoutBeforeArrival: sum((row) => pending(row) && row.urgency === 'stockout_before_arrival'),
    awaitingSecond: sum((row) => !pending(row)),
    blocked: Number(blocked),
    dataAsOf: data.dataAsOf,
    dataAgeDays: data.dataAgeDays,
    isDataStale: data.isStale,
    failingSources,
    isSyncing: Boolean(running),
  }
}
