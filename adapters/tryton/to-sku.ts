import { MAX_UNIT_LENGTH, type RecordOf } from '../records.ts'
import { toMoney } from '../rows/decimals.ts'
import type { Catalogue } from '../rpc/catalogue.ts'
import {
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

export const toSku = (
  row: ProductRow,
  currency: string | null,
  catalogue: Catalogue,
): RecordOf<'skus'> =>
  mapAbout(row.code, '', () => {
    catalogue.assertOwn(row.id, row.code ?? '', 'code')
    const sku = codeOf(catalogue.skuOf(row.id), 'code')
    const cost = decimalOf(row.cost_price, 'cost_price')
    const template = row['template.']
    return {
      ...{ sku, identity: String(row.id) },
      name: nameOf(template?.name),
      unit: codeOrNull(row['default_uom.']?.symbol, 'default_uom.symbol', MAX_UNIT_LENGTH),
      supplier: null,
      unitCost: cost ? toMoney(cost) : null,
      currency: cost ? currencyOf(currency, 'currency') : null,
      purchasable: isPurchasable(row),
    }
  })

export const isActive = ({ active, 'template.': template }: ProductRow): boolean =>
  Boolean(active && template?.active)

export const isPurchasable = (row: ProductRow): boolean =>
  isActive(row) && Boolean(row['template.']?.purchasable)

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
