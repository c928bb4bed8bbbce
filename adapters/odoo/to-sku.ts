import { MAX_CODE_LENGTH, MAX_UNIT_LENGTH, type RecordOf } from '../records.ts'
import type { Catalogue } from '../rpc/catalogue.ts'
import { codeOf, codeOrNull, currencyOf, mapAbout, nameOf } from '../rows/values.ts'
import { toMoney } from '../rows/decimals.ts'
import type { ProductRow } from './entities.ts'
import { idOf, quantityOf, type Units } from './values.ts'

export function toSku(
  row: ProductRow,
  code: string | null,
  units: Units,
  currency: string | null,
  catalogue: Catalogue,
): RecordOf<'skus'> {
  return mapAbout(code, '', () => {
    catalogue.assertOwn(row.id, code ?? '', 'default_code')
    const sku = codeOf(catalogue.skuOf(row.id), 'default_code')
    const cost = quantityOf(row.standard_price, 'standard_price')
    const unit = units.nameOf(idOf(row.uom_id))
    return {
      ...{ sku, identity: String(row.id) },
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
