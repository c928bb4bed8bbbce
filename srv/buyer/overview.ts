// One look at what waits, and how old the numbers are.
import cds from '@sap/cds'
import { initialStatus, undecidedStatuses } from '../store/proposal-flow.ts'
import { rolesOf } from '../authority/index.ts'
import { today } from '../store/today.ts'
import { mayDecide } from './show.ts'

const { SELECT } = cds.ql

interface Count {
  status: string
  urgency: string
  count: number
}

export async function overview(service: cds.ApplicationService) {
  const user = cds.context!.user!
  const counts: Count[] = await service.run(
    SELECT.from('BuyerService.Proposals')
      .columns('status', 'urgency', 'count(*) as count')
      .where({ status: { in: undecidedStatuses() } })
      .groupBy('status', 'urgency'),
  )
  const sum = (keep: (row: Count) => boolean) =>
    counts.filter(keep).reduce((total, { count }) => total + Number(count), 0)
  const pending = ({ status }: Count) => status === initialStatus()
  const [{ blocked }] = await service.run(
    SELECT.from('BuyerService.Blocked').columns('count(*) as blocked'),
  )
  return {
    user: user.id,
    mayDecide: mayDecide(),
    roles: rolesOf(user).join(','),
    pending: sum(pending),
    due: sum((row) => pending(row) && row.urgency !== 'ahead'),
    stockoutBeforeArrival: sum((row) => pending(row) && row.urgency === 'stockout_before_arrival'),
    awaitingSecond: sum((row) => !pending(row)),
    blocked: Number(blocked),
    ...(await sourceStates()),
  }
}

async function sourceStates() {
  const sources: { status: string; dataAsOf: string | null }[] = await SELECT.from(
    'restock.Sources',
  ).columns('status', 'dataAsOf')
  const days = sources.flatMap(({ dataAsOf }) => dataAsOf ?? []).sort()
  const dataAsOf = days[0] ?? null
  const running = await SELECT.one
    .from('restock.Syncs')
    .columns('ID')
    .where({ status: { in: ['queued', 'running'] } })
  return {
    dataAsOf,
    dataAgeDays: dataAsOf && Math.max(0, daysBetween(dataAsOf, today())),
    isSyncing: Boolean(running),
    failingSources: sources.filter(({ status }) =>
      ['failing', 'reconsent_required'].includes(status),
    ).length,
  }
}

const daysBetween = (from: string, to: string) =>
  Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)
