import type { RecordOf } from '../records.ts'
import { MAX_UNIT_LENGTH } from '../records.ts'
import { toMoney } from '../rows/decimals.ts'
import { codeOf, nameOf, unitsOf } from '../rows/values.ts'
import type { Units } from './account-facts.ts'
import { withZero } from './decimals.ts'
import type { ItemRow } from './queries.ts'

export interface ItemContext {
  code: (name: string, id: string) => string
  units: Units
  currency: string | null
}

export function toSku(row: ItemRow, { code, units, currency }: ItemContext): RecordOf<'skus'> {
  const cost = unitsOf(withZero(row.averagecost), 'averagecost')
  return {
    sku: codeOf(code(codeOf(row.itemid, 'itemid'), row.id), 'itemid'),
    name: nameOf(row.displayname) ?? nameOf(row.itemid),
    unit: unitOf(units.baseNames.get(row.unitstype ?? '')),
    supplier: null,
    unitCost: cost > 0n ? toMoney(cost) : null,
    currency: cost > 0n ? currency : null,
    purchasable: row.isinactive !== 'T',
  }
}

const unitOf = (name: string | undefined) => (name && name.length <= MAX_UNIT_LENGTH ? name : null)
