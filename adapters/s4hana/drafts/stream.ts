// What lies in the ERP before an order: purchase requisitions, planned orders, contracts and scheduling agreements, each where
// it may be read.
import type { Fatal } from '../../errors.ts'
import type { EntitySet } from '../../odata/reader.ts'
import type { SnapshotPage } from '../../rows/pages.ts'
import {
  readsContracts,
  readsPlannedOrders,
  readsRequisitions,
  readsSchedulingAgreements,
} from '../auth.ts'
import { withRemedy } from '../optional.ts'
import type { S4hanaOptions } from '../options.ts'
import type { Service } from '../services.ts'
import type { System } from '../system.ts'
import { CONTRACTS, readContracts } from './contracts.ts'
import { PLANNED_ORDERS, readPlannedOrders } from './planned-orders.ts'
import { readRequisitions, REQUISITIONS } from './requisitions.ts'
import { readScheduledContracts, SCHEDULING_AGREEMENTS } from './scheduling-agreements.ts'

interface List {
  /** The option that leaves it out. */
  option: string
  isWanted(options: S4hanaOptions): boolean
  set: EntitySet & { service: Service }
  read(system: System, signal: AbortSignal): AsyncGenerator<SnapshotPage<'drafts'>>
}

/** Planned orders first: one that becomes a requisition meanwhile is in both lists for one sync, and never in neither. */
const LISTS: List[] = [
  {
    ...{ option: 'planned_orders', isWanted: readsPlannedOrders },
    ...{ set: PLANNED_ORDERS, read: readPlannedOrders },
  },
  {
    ...{ option: 'requisitions', isWanted: readsRequisitions },
    ...{ set: REQUISITIONS, read: readRequisitions },
  },
  { option: 'contracts', isWanted: readsContracts, set: CONTRACTS, read: readContracts },
  {
    ...{ option: 'scheduling_agreements', isWanted: readsSchedulingAgreements },
    ...{ set: SCHEDULING_AGREEMENTS, read: readScheduledContracts },
  },
]

export const draftLists = (options: S4hanaOptions): List[] =>
  LISTS.filter(({ isWanted }) => isWanted(options))

/** @throws Fatal where none of the lists may be read */
export async function* readDrafts(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'drafts'>> {
  const lists = draftLists(system.options)
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
