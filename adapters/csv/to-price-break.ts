import { BadValue } from '../rows/bad-value.ts'
import type { RecordOf } from '../records.ts'
import type { Row } from './row.ts'

export function toPriceBreak(row: Row): RecordOf<'priceBreaks'> {
  const fromQuantity = row.units('from_quantity')
  if (fromQuantity === 0) throw new BadValue('from_quantity', 'must be above 0')
  return {
    sku: row.code('sku'),
    location: row.codeOrNull('location') ?? '',
    supplier: row.codeOrNull('supplier') ?? '',
    fromQuantity,
    unitCost: row.money('unit_cost'),
  }
}
