import type { RecordOf } from '../records.ts'
import { mapAbout } from '../rows/bad-value.ts'
import { codeOf, demandDayOf, exactOf, numberOf } from '../rows/values.ts'
import type { LedgerRow } from './entities.ts'
import type { BusinessCentralOptions } from './options.ts'
import { choiceOf, dayOrNone } from './values.ts'

const TYPES: Record<BusinessCentralOptions['demand'], ReadonlySet<string>> = {
  sales: new Set(['Sale']),
  sales_and_consumption: new Set(['Sale', 'Consumption', 'Assembly Consumption']),
}

/** What has left the stock; returns are negative. Null for entries that are no demand. */
export function toDemand(
  row: LedgerRow,
  { demand, blank_location: blank }: BusinessCentralOptions,
): RecordOf<'demand'> | null {
  if (!TYPES[demand].has(choiceOf(row.entryType))) return null
  return mapAbout(row.itemNo, row.locationCode || blank, () => {
    const quantity = -exactOf(row.quantity, 'quantity')
    if (quantity === 0n) return null
    return {
      sku: codeOf(row.itemNo, 'itemNo'),
      location: codeOf(row.locationCode || blank, 'locationCode'),
      date: demandDayOf(dayOrNone(row.postingDate, 'postingDate'), 'postingDate'),
      quantity: numberOf(quantity, 'quantity'),
      price: null,
      promo: null,
      document: String(row.entryNo),
    }
  })
}
