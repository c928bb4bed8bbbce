// Open purchase orders: from the V4 service, which says what is open, or from V2 with goods receipts.
import { Fatal } from '../../errors.ts'
import type { Chunk } from '../snapshot.ts'
import type { System } from '../system.ts'
import { openOrdersV2 } from './v2.ts'
import { openOrdersV4 } from './v4.ts'
import { ITEMS } from './items.ts'

export async function* openOrders(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<Chunk<'openOrders'>> {
  const version = await purchaseOrderVersion(system, signal)
  yield* version === 'v4' ? openOrdersV4(system, signal) : openOrdersV2(system, signal)
}

/** As chosen; by itself V4, unless the system lacks it or does not let it be read. */
export async function purchaseOrderVersion(
  system: System,
  signal: AbortSignal,
): Promise<'v2' | 'v4'> {
  const { purchase_orders: choice } = system.options
  if (choice !== 'auto') return choice
  try {
    await system.probe(ITEMS.v4, signal)
    return 'v4'
  } catch (error) {
    const isUnreadable =
      error instanceof Fatal && (error.code === 'forbidden' || error.code === 'not_found')
    if (!isUnreadable) throw error
    return 'v2'
  }
}
