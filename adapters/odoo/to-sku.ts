import { MAX_CODE_LENGTH, MAX_UNIT_LENGTH, type RecordOf } from '../records.ts'
import {
  BadValue,
  codeOf,
  codeOrNull,
  currencyOf,
  emptyValue,
  mapAbout,
  nameOf,
} from '../rows/values.ts'
import { toMoney } from '../rows/decimals.ts'
import type { ProductRow } from './entities.ts'
import { idOf, quantityOf, type Units } from './values.ts'

/** @param owners which product has a code: Odoo lets several have the same one */
export function toSku(
  row: ProductRow,
  code: string | null,
  units: Units,
  currency: string | null,
  owners: Map<string, number>,
): RecordOf<'skus'> {
  return mapAbout(code, '', () => {
    if (code === null) throw emptyValue('default_code')
    const sku = codeOf(code, 'default_code')
    const owner = owners.get(sku) ?? row.id
    if (owner !== row.id) {
      throw new BadValue('default_code', `is that of product ${owner} too`, 'duplicate_key')
    }
    owners.set(sku, owner)
    const cost = quantityOf(row.standard_price, 'standard_price')
    const unit = units.nameOf(idOf(row.uom_id))
    return {
      sku,
      name: nameOf(row.name),
      unit: codeOrNull(unit?.slice(0, MAX_UNIT_LENGTH), 'uom_id'),
      supplier: null,
      unitCost: cost > 0n ? toMoney(cost) : null,
      currency: cost > 0n ? currencyOf(currency, 'currency_id') : null,
      skuGroup: row.categ_id ? row.categ_id[1].slice(0, MAX_CODE_LENGTH) : null,
      purchasable: isPurchasable(row),
    }
  })
}

export const isPurchasable = ({ active, purchase_ok: isBought }: ProductRow): boolean =>
  active && isBought !== false
