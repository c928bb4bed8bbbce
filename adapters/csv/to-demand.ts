import type { RecordOf } from '../records.ts'
import type { Row } from './row.ts'

export const toDemand = (row: Row): RecordOf<'demand'> => ({
  sku: row.code('sku'),
  location: row.code('location'),
  date: row.demandDay('date'),
  quantity: row.units('quantity'),
  price: row.priceOrNull('price'),
  promo: row.flagOrNull('promo'),
})
