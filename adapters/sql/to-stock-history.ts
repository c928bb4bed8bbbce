import type { RecordOf } from '../records.ts'
import type { Row } from './row.ts'

export const toStockHistory = (row: Row): RecordOf<'stockHistory'> => ({
  sku: row.code('sku'),
  location: row.code('location'),
  date: row.demandDay('day'),
  onHand: row.units('on_hand'),
})
