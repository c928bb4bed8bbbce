import type { TransferRow } from './entities.ts'
import type { System } from './system.ts'

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
