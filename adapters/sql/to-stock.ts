import type { RecordOf } from '../records.ts'
import type { Row } from './row.ts'

/** Stock below zero is none on hand, and backorders. */
export function toStock(row: Row): RecordOf<'stock'> {
  const onHand = row.quantity('on_hand')
  const owed = Math.max(0, -onHand) + (row.unitsOrNull('backorders') ?? 0)
  return {
    sku: row.code('sku'),
    location: row.code('location'),
    onHand: Math.max(0, onHand),
    ...(owed > 0 && { backorders: owed }),
    inInspection: row.unitsOrNull('in_inspection') ?? 0,
    blocked: row.unitsOrNull('blocked') ?? 0,
    inTransit: row.unitsOrNull('in_transit') ?? 0,
  }
}
