import type { RecordOf } from '../records.ts'
import type { Row } from './row.ts'

/** The longest number of a document line that can be stored. */
const MAX_ID = 60

/** A document line; the total of a day where the view has no `id`. */
export function toDemand(row: Row): RecordOf<'demand'> {
  const document = row.codeOrNull('id', MAX_ID)
  const reversalOf = row.codeOrNull('reversal_of', MAX_ID)
  return {
    sku: row.code('sku'),
    location: row.code('location'),
    date: row.demandDay('day'),
    quantity: row.quantity('quantity'),
    price: row.unitsOrNull('price'),
    promo: row.flagOrNull('promo'),
    ...(document !== null && { document }),
    ...(document !== null && reversalOf !== null && { reversalOf }),
  }
}
