// What lies in the ERP before an order: purchase requisitions, planned orders, contracts and scheduling agreements, each where
// it may be read.
import type { Fatal } from '../../errors.ts'
import type { SnapshotPage } from '../../rows/pages.ts'
import {
  readsContracts,
  readsPlannedOrders,
  readsRequisitions,
  readsSchedulingAgreements,
} from '../auth.ts'
import { withRemedy } from '../optional.ts'
import type { S4hanaOptions } from '../options.ts'
import type { System } from '../system.ts'
import { readContracts } from './contracts.ts'
import { readPlannedOrders } from './planned-orders.ts'
import { readRequisitions } from './requisitions.ts'
import { readScheduledContracts } from './scheduling-agreements.ts'

type Read = (system: System, signal: AbortSignal) => AsyncGenerator<SnapshotPage<'drafts'>>

/** Planned orders first: one that becomes a requisition meanwhile is in both lists for one sync, and never in neither. */
const listsOf = ({ options }: System): { option: string; read: Read }[] => [
  ...(readsPlannedOrders(options) ? [{ option: 'planned_orders', read: readPlannedOrders }] : []),
  ...(readsRequisitions(options) ? [{ option: 'requisitions', read: readRequisitions }] : []),
  ...(readsContracts(options) ? [{ option: 'contracts', read: readContracts }] : []),
  ...(readsSchedulingAgreements(options)
    ? [{ option: 'scheduling_agreements', read: readScheduledContracts }]
    : []),
]

export const readsAnyDraft = (options: S4hanaOptions): boolean =>
  readsPlannedOrders(options) ||
  readsRequisitions(options) ||
  readsContracts(options) ||
  readsSchedulingAgreements(options)

/** @throws Fatal where none of the lists may be read */
export async function* readDrafts(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'drafts'>> {
  const lists = listsOf(system)
  const unread: Fatal[] = []
  let before = 0
  for (const { option, read } of lists) {
    let done = 0
    try {
      for await (const page of read(system, signal)) {
        done = page.done
        yield { ...page, done: before + done, total: null }
      }
    } catch (error) {
      unread.push(withRemedy(error, option))
    }
    before += done
  }
  if (unread.length === lists.length) throw unread[0]!
  const notes = unread.map(({ message }) => message)
  if (notes.length) yield { records: [], quarantined: [], done: before, total: null, notes }
}
