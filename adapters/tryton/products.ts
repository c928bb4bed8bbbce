import type { ModelQuery } from '../rpc/reader.ts'
import { GOODS } from './quantities.ts'

export const PRODUCTS: ModelQuery = {
  model: 'product.product',
  domain: [GOODS],
  fields: [
    ...['code', 'active', 'template', 'cost_price'],
    ...['template.name', 'template.active', 'template.purchasable'],
    ...['default_uom', 'purchase_uom'].flatMap((uom) => [
      `${uom}.symbol`,
      `${uom}.factor`,
      `${uom}.rate`,
    ]),
  ],
}

/** When a product, its template or its cost was changed. */
export const PRODUCT_TIMES = [
  ...['create_date', 'write_date', 'template.create_date', 'template.write_date'],
  ...['cost_prices.create_date', 'cost_prices.write_date'],
]
