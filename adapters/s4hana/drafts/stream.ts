// What lies in the ERP before an order: purchase requisitions, planned orders, contracts and scheduling agreements, each where
// it may be read.
import { isNotThere } from '../../errors.ts'
import type { EntitySet } from '../../odata/reader.ts'
import { hasKind, readLists, type Stored } from '../../rows/lists.ts'
import type { Known, SnapshotPage } from '../../rows/pages.ts'
import { type OptionalRead, reads } from '../auth.ts'
import { withRemedy } from '../optional.ts'
import type { S4hanaOptions } from '../options.ts'
import type { Service } from '../services.ts'
import type { System } from '../system.ts'
import { CONTRACTS, readContracts } from './contracts.ts'
import { PLANNED_ORDERS, readPlannedOrders } from './planned-orders.ts'
import { readRequisitions, REQUISITIONS } from './requisitions.ts'
import { readScheduledContracts, SCHEDULING_AGREEMENTS } from './scheduling-agreements.ts'

type DraftSet = EntitySet & { service: Service }

interface List {
  /** The option that leaves it out. */
  option: OptionalRead
  set: DraftSet
  read(system: System, signal: AbortSignal): AsyncGenerator<SnapshotPage<'drafts'>>
  isAmong(
    stored: readonly Stored[],
    system: System,
    signal: AbortSignal,
  ): boolean | Promise<boolean>
}

/**
 * Contracts and scheduling agreements share one range of numbers, and a stored one does not say which it is: it is what the
 * other list does not have.
 */
const isMissingIn =
  ({ service, set, key }: DraftSet, option: OptionalRead): List['isAmong'] =>
  async (stored, system, signal) => {
    const contracts = stored.filter(({ kind }) => kind === 'contract')
    const numbers = new Set(contracts.map(({ document }) => String(document)))
    if (!numbers.size || !reads(option, system.options)) return numbers.size > 0
    const [field] = key as [string]
    try {
      const query = { service, set, key, select: key }
      const rows = await system.allOf<Record<string, string>>(query, field, numbers, signal)
      const others = new Set(rows.map((row) => row[field]!))
      return [...numbers].some((number) => !others.has(number))
    } catch (error) {
      if (!isNotThere(error)) throw error
      return true
    }
  }

/** Planned orders first: one that becomes a requisition meanwhile is in both lists for one sync, and never in neither. */
const LISTS: List[] = [
  {
    ...{ option: 'planned_orders', set: PLANNED_ORDERS, read: readPlannedOrders },
    isAmong: hasKind('planned_order'),
  },
  {
    ...{ option: 'requisitions', set: REQUISITIONS, read: readRequisitions },
    isAmong: hasKind('requisition'),
  },
  {
    ...{ option: 'contracts', set: CONTRACTS, read: readContracts },
    isAmong: isMissingIn(SCHEDULING_AGREEMENTS, 'scheduling_agreements'),
  },
  {
    ...{ option: 'scheduling_agreements', set: SCHEDULING_AGREEMENTS },
    ...{ read: readScheduledContracts, isAmong: isMissingIn(CONTRACTS, 'contracts') },
  },
]

export const draftLists = (options: S4hanaOptions): List[] =>
  LISTS.filter(({ option }) => reads(option, options))

/** @throws Fatal where none of the lists may be read, or one that was read before is refused */
export const readDrafts = (system: System, signal: AbortSignal, known: Known) =>
  readLists<'drafts'>(
    draftLists(system.options).map(({ option, read, isAmong }) => ({
      read: () => read(system, signal),
      isAmong: (stored) => isAmong(stored, system, signal),
      remedied: (error) => withRemedy(error, option),
    })),
    known,
  )
