import type { RecordOf } from '../records.ts'
import type { Row } from './row.ts'

export const toStock = (row: Row): RecordOf<'stock'> => ({
  sku: row.code('sku'),
  location: row.code('location'),
  onHand: row.units('on_hand'),
})
