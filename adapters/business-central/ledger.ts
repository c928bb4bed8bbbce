import { daysAgo } from '../rows/days.ts'
import type { KeysetQuery } from '../odata/keyset.ts'
import type { TransferRow } from './entities.ts'
import type { System } from './system.ts'

/**
 * Entries are never changed but for what remains of them, and have ascending numbers. Two posting routines may take
 * their numbers in one order and commit in the other, so the last numbers are read again.
 */
export const LEDGER_OVERLAP = 1_000

/** Entries that were posted for these last days. */
export const sinceHistory = (days: number): string => `postingDate ge ${daysAgo(days)}`

/** A query of item ledger entries, by their number. */
export async function ledgerQuery(
  system: System,
  select: readonly string[],
  filter: string | null,
  signal: AbortSignal,
): Promise<KeysetQuery> {
  const { analytics } = await system.services(signal)
  return {
    ...{ service: analytics, set: 'itemLedgerEntries', key: 'entryNo', keyType: 'number' },
    ...{ select: ['entryNo', ...select], filter },
  }
}

const FIELDS = [
  ...['documentNo', 'itemNo', 'inTransitLocationCode', 'transferToLocationCode'],
  ...['qtyInTransitBase', 'receiptDate'],
]

/** Open transfer orders between own locations. */
export async function readTransfers(system: System, signal: AbortSignal): Promise<TransferRow[]> {
  const { analytics } = await system.services(signal)
  const parameters = { $select: FIELDS.join(','), $orderby: 'documentNo,itemNo,receiptDate' }
  return system.allByLink<TransferRow>(analytics, 'transferLines', parameters, signal)
}
