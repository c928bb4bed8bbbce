import type { RecordOf } from '../records.ts'
import type { Row } from './row.ts'

export const toStock = (row: Row): RecordOf<'stock'> => {
  const inInspection = row.unitsOrNull('in_inspection')
  return {
    sku: row.code('sku'),
    location: row.code('location'),
    onHand: row.units('on_hand'),
    ...(inInspection !== null && { inInspection }),
  }
}
