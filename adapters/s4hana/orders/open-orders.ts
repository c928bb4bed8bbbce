// Open purchase orders: from the V4 service, which has open quantities, or from V2 and goods receipts.
import { isUnreadable } from '../../errors.ts'
import { hasScopes, reads } from '../auth.ts'
import { readScheduledOrders } from '../drafts/scheduling-agreements.ts'
import { withRemedy } from '../optional.ts'
import { leaveOut, type Stored } from '../../rows/lists.ts'
import type { Known, SnapshotPage } from '../../rows/pages.ts'
import { isInTransfer, readStockInTransfer } from '../stock/in-transfer.ts'
import type { System } from '../system.ts'
import { readOpenOrdersV2 } from './v2.ts'
import { readOpenOrdersV4 } from './v4.ts'
import { ITEMS } from './lines.ts'

export async function* readOpenOrders(
  system: System,
  signal: AbortSignal,
  known: Known,
): AsyncGenerator<SnapshotPage<'openOrders'>> {
  if (reads('scheduling_agreements', system.options))
    yield* tryScheduledOrders(system, signal, known)
  yield* tryStockInTransfer(system, signal, known)
  const version = await purchaseOrderVersion(system, signal)
  yield* version === 'v4'
    ? readOpenOrdersV4(system, known, signal)
    : readOpenOrdersV2(system, known, signal)
}

/** What scheduling agreements bring; a note where they may not be read. */
async function* tryScheduledOrders(
  system: System,
  signal: AbortSignal,
  known: Known,
): AsyncGenerator<SnapshotPage<'openOrders'>> {
  try {
    for await (const page of readScheduledOrders(system, signal)) yield { ...page, total: null }
  } catch (error) {
    const left = await leaveOut(error, known, isScheduled)
    const notes = [withRemedy(left, 'scheduling_agreements').message]
    yield { records: [], quarantined: [], done: 0, total: null, notes }
  }
}

/** A schedule line that was made of no requisition is taken off its own agreement. */
const isScheduled = (stored: readonly Stored[]): boolean =>
  stored.some(({ document, draft }) => String(draft ?? '').startsWith(`${String(document)}/`))

/** What is under way between plants and storage locations; what may not be read is told by the stock itself. */
async function* tryStockInTransfer(
  system: System,
  signal: AbortSignal,
  known: Known,
): AsyncGenerator<SnapshotPage<'openOrders'>> {
  try {
    yield await readStockInTransfer(system, signal)
  } catch (error) {
    await leaveOut(error, known, (stored) => stored.some(isInTransfer))
  }
}

export type Version = 'v2' | 'v4'

/**
 * The version of the option. `auto` is the first readable one: V4 before V2, because it has open
 * quantities; V2 before V4 where there are scopes, because only V2's scope was requested.
 */
export function purchaseOrderVersion(system: System, signal: AbortSignal): Promise<Version> {
  const { purchase_orders: choice } = system.options
  if (choice !== 'auto') return Promise.resolve(choice)
  return system.once.shared('order version', (own) => findVersion(system, own), signal)
}

async function findVersion(system: System, signal: AbortSignal): Promise<Version> {
  const versions: Version[] = hasScopes(system.options) ? ['v2', 'v4'] : ['v4', 'v2']
  for (const version of versions) if (await isReadable(system, version, signal)) return version
  return 'v2'
}

async function isReadable(system: System, version: Version, signal: AbortSignal) {
  try {
    await system.probe(ITEMS[version], signal)
    return true
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return false
  }
}
