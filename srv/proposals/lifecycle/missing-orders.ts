import cds from '@sap/cds'
import { settings } from '../../config.ts'
import { Proposals, readAs, Snapshots } from '../../store/entities.ts'
import { statusesBefore } from '../../store/proposal-flow.ts'
import { markSeries } from '../../store/proposal-marks.ts'
import { DAY_MS } from '../../store/today.ts'

/** No order of the ERP was found within `orderedWithinDays`. */
export const NOT_SEEN = 'not_seen_in_erp'
/** None was found within `approvedSupplyDays`: it is no supply any more. */
export const NOT_COUNTED = 'not_counted'

/** Whether an approved proposal is supply, though no order of the ERP stands for it yet. */
export const isCounted = ({ status, flag }: { status: string; flag: string | null }) =>
  status === 'approved' && flag !== NOT_COUNTED

/**
 * Flags proposals that were approved long ago without an order of the ERP. Where the ERP's orders are not read,
 * nothing says that there is none until the lead time has passed.
 */
export async function flagMissingOrders(source: number) {
  const isRead = await SELECT.one
    .from(Snapshots)
    .columns('generation')
    .where({ source_ID: source, record: 'openOrders' })
  const { orderedWithinDays, approvedSupplyDays } = settings()
  if (isRead) await flagNotSeen(source, orderedWithinDays)
  await stopCounting(source, Math.max(approvedSupplyDays, orderedWithinDays), !isRead)
}

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()

const flagNotSeen = (source: number, days: number) =>
  UPDATE.entity(Proposals)
    .set({ flag: NOT_SEEN })
    .where({
      source_ID: source,
      status: { in: statusesBefore('markOrdered') },
      flag: null,
      decidedAt: { '<=': daysAgo(days) },
    })

async function stopCounting(source: number, days: number, waitsForLeadTime: boolean) {
  const rows = await readAs<Counting>(
    SELECT.from(Proposals)
      .columns('ID', 'series', 'decidedAt', 'flag', 'calculation_leadTimeDays as leadTimeDays')
      .where({
        source_ID: source,
        status: { in: statusesBefore('markOrdered') },
        decidedAt: { '<=': daysAgo(days) },
      }),
  )
  for (const { ID, series, decidedAt, flag, leadTimeDays } of rows) {
    if (flag === NOT_COUNTED) continue
    if (waitsForLeadTime && decidedAt > daysAgo(days + Number(leadTimeDays))) continue
    await cds.tx(async () => {
      await markSeries(series)
      await UPDATE.entity(Proposals)
        .set({ flag: NOT_COUNTED })
        .where({ ID, status: { in: statusesBefore('markOrdered') } })
    })
  }
}

interface Counting {
  ID: number
  series: number
  decidedAt: string
  flag: string | null
  leadTimeDays: number | null
}
