// Products, and what they are called.
import { Catalogue } from '../rpc/catalogue.ts'
import { type ModelQuery, readRows } from '../rpc/reader.ts'
import type { Reads } from './client.ts'
import type { ProductRow } from './entities.ts'
import { GOODS } from './places.ts'
import { isActive } from './to-sku.ts'

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
      `${uom}.rounding`,
    ]),
  ],
}

/** When a product, its template or its cost was changed. */
export const PRODUCT_TIMES = [
  ...['create_date', 'write_date', 'template.create_date', 'template.write_date'],
  ...['cost_prices.create_date', 'cost_prices.write_date'],
]

export async function readCatalogue({ client }: Reads, signal: AbortSignal): Promise<Catalogue> {
  const query = { ...PRODUCTS, fields: ['code', 'active', 'template.active'] }
  const rows = await readRows<ProductRow>(client, query, signal)
  return new Catalogue(rows.map((row) => ({ id: row.id, code: row.code, isActive: isActive(row) })))
}
