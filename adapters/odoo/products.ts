// Products, and when they were changed.
import type { Domain, ModelQuery } from '../rpc/reader.ts'
import type { Reads } from './client.ts'

/** When a product or its template was changed. */
export const PRODUCT_TIMES = ['write_date', 'product_tmpl_id.write_date']

/** Products of which stock is kept: `is_storable` from Odoo 18 on, a type before. */
export async function productQuery(system: Reads, signal: AbortSignal): Promise<ModelQuery> {
  const found = await system.client.fieldsOf('product.product', signal)
  const domain: Domain = [
    found.has('is_storable') ? ['is_storable', '=', true] : ['type', '=', 'product'],
    {
      anyOf: [[['company_id', '=', false]], [['company_id', '=', await system.company(signal)]]],
    },
  ]
  const fields = [
    ...['default_code', 'barcode', 'name', 'active', 'uom_id', 'product_tmpl_id'],
    ...['standard_price', 'categ_id', 'purchase_ok', 'uom_po_id'],
  ].filter((field) => found.has(field))
  return { model: 'product.product', domain, fields }
}
