import { MAX_UNIT_LENGTH } from '../records.ts'
import type { RecordOf } from '../records.ts'
import { BadValue, mapAbout } from '../rows/bad-value.ts'
import { toMoney } from '../rows/decimals.ts'
import { codeOf, codeOrNull, currencyOf, nameOf } from '../rows/values.ts'
import type { ProductRow } from './entities.ts'
import { decimalOf } from './values.ts'

/** @param owners which product has a code: Tryton lets several have the same one */
export const toSku = (
  row: ProductRow,
  currency: string | null,
  owners: Map<string, number>,
): RecordOf<'skus'> =>
  mapAbout(row.code, '', () => {
    const sku = codeOf(row.code, 'code')
    const owner = owners.get(sku) ?? row.id
    if (owner !== row.id) {
      throw new BadValue('code', `is that of product ${owner} too`, 'duplicate_key')
    }
    owners.set(sku, owner)
    const cost = decimalOf(row.cost_price, 'cost_price')
    const template = row['template.']
    return {
      sku,
      name: nameOf(template?.name),
      unit: codeOrNull(row['default_uom.']?.symbol, 'default_uom.symbol', MAX_UNIT_LENGTH),
      supplier: null,
      unitCost: cost ? toMoney(cost) : null,
      currency: cost ? currencyOf(currency, 'currency') : null,
      purchasable: isPurchasable(row),
    }
  })

export const isPurchasable = ({ active, 'template.': template }: ProductRow): boolean =>
  Boolean(active && template?.active && template.purchasable)
