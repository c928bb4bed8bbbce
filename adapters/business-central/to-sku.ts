import type { RecordOf } from '../records.ts'
import { toMoney } from '../rows/decimals.ts'
import { codeOf, codeOrNull, nameOf, unitsOf } from '../rows/values.ts'
import type { ItemRow } from './entities.ts'
import { choiceOf } from './values.ts'

/** Null for services and what is not kept in stock. @param currency of the company */
export function toSku(row: ItemRow, currency: string | null): RecordOf<'skus'> | null {
  if (choiceOf(row.type) !== 'Inventory') return null
  const cost = unitsOf(row.unitCost, 'unitCost')
  return {
    sku: codeOf(row.number, 'number'),
    name: nameOf(row.displayName),
    unit: codeOrNull(row.baseUnitOfMeasureCode, 'baseUnitOfMeasureCode', 20),
    supplier: null,
    unitCost: cost > 0n ? toMoney(cost) : null,
    currency: cost > 0n ? currency : null,
    skuGroup: codeOrNull(row.itemCategoryCode, 'itemCategoryCode'),
    purchasable: row.blocked !== true,
  }
}
