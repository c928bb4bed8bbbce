// Products, and the warehouses at which they are kept.
import { DAY_MS } from '../rows/days.ts'
import type { Known } from '../rows/pages.ts'
import { type PairLists, readPairs } from '../rpc/pairs.ts'
import type { Domain, ModelQuery } from '../rpc/reader.ts'
import { readStock } from '../rpc/stock.ts'
import type { MoveRow, OrderPointRow, ProductRow } from './entities.ts'
import type { System } from './system.ts'
import { idOf } from './values.ts'

/** When a product or its template was changed. */
export const PRODUCT_TIMES = ['write_date', 'product_tmpl_id.write_date']

/** Products of which stock is kept: `is_storable` from Odoo 18 on, a type before. */
export async function productQuery(system: System, signal: AbortSignal): Promise<ModelQuery> {
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

export const MOVE_TIMES = ['write_date']

/** The lists that say where products are kept, of moves that were not called off. */
export async function pairLists(
  system: System,
  signal: AbortSignal,
): Promise<PairLists<MoveRow, OrderPointRow>> {
  const { client, options } = system
  const { warehouseOf, codes } = await system.places(signal)
  const firstDay = client.instant(Date.now() - options.history_days * DAY_MS)
  return {
    reader: client,
    moves: {
      model: 'stock.move',
      domain: [
        ['state', 'not in', ['draft', 'cancel']],
        ['date', '>=', firstDay],
      ],
      fields: ['product_id', 'location_id', 'location_dest_id'],
    },
    changed: MOVE_TIMES,
    points: {
      model: 'stock.warehouse.orderpoint',
      domain: [['active', '=', true]],
      fields: ['product_id', 'warehouse_id'],
    },
    product: 'product_id',
    ofMove: (row) => ({
      product: idOf(row.product_id),
      from: warehouseOf(idOf(row.location_id)),
      to: warehouseOf(idOf(row.location_dest_id)),
    }),
    ofPoint: ({ product_id: product, warehouse_id: warehouse }) => ({
      product: idOf(product),
      location: codes.get(idOf(warehouse) ?? 0),
    }),
  }
}

export const readOdooStock = (system: System, signal: AbortSignal, known: Known) =>
  readStock<ProductRow>(
    {
      reader: system.client,
      pairs: async (since) => readPairs(await pairLists(system, signal), since, signal),
      quantities: () => system.quantities(signal),
      async products() {
        return { ...(await productQuery(system, signal)), fields: ['default_code', 'barcode'] }
      },
      skuOf: (row) => system.skuOf(row),
    },
    signal,
    known,
  )
