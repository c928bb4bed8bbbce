import { MAX_UNIT_LENGTH, type RecordOf } from '../records.ts'
import { toMoney } from '../rows/decimals.ts'
import {
  BadValue,
  codeOf,
  codeOrNull,
  countryOf,
  currencyOf,
  mapAbout,
  nameOf,
  timeZoneOf,
} from '../rows/values.ts'
import type { ProductRow } from './entities.ts'
import type { Places } from './places.ts'
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

/** @param timeZone of the company */
export const toLocation = (
  { location, row }: Places['warehouses'][0],
  timeZone: string | null,
): RecordOf<'locations'> => ({
  location: codeOf(location, 'code'),
  name: nameOf(row.name),
  country: countryOf(row['address.']?.['country.']?.code, 'address.country.code'),
  timeZone: timeZoneOf(timeZone, 'company.timezone'),
})
