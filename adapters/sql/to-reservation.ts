import type { RecordOf } from '../records.ts'
import type { Row } from './row.ts'

export const toReservation = (row: Row): RecordOf<'reservations'> => ({
  document: row.code('document'),
  line: row.code('line'),
  sku: row.code('sku'),
  location: row.code('location'),
  quantity: row.units('quantity'),
  due: row.dayOrNull('due'),
})
