import type { Exact } from '../rows/decimals.ts'
import { readPages } from '../rpc/rows.ts'
import type { QuantRow } from './entities.ts'
import type { Places } from './places.ts'
import type { Reads } from './reads.ts'
import { idOf, quantityOf } from './values.ts'

/** Of each product number, by warehouse; without zeros. */
export type Quantities = Map<number, Map<string, Exact>>

/** Own stock at internal locations; Odoo merges and deletes quants, so that all are read each time. */
export async function readQuantities(
  system: Reads & { places(signal: AbortSignal): Promise<Places> },
  signal: AbortSignal,
): Promise<Quantities> {
  const quantities: Quantities = new Map()
  const { warehouseOf } = await system.places(signal)
  const domain = [
    ['company_id', '=', await system.company(signal)],
    ...[
      ['location_id.usage', '=', 'internal'],
      ['owner_id', '=', false],
    ],
  ]
  const query = {
    ...{ model: 'stock.quant', domain },
    fields: ['product_id', 'location_id', 'quantity'],
  }
  for await (const { rows } of readPages<QuantRow>(system.client, query, signal)) {
    for (const { product_id, location_id, quantity } of rows) {
      const [product, location] = [idOf(product_id), warehouseOf(idOf(location_id))]
      if (product === null || location === null) continue
      const own = quantities.get(product) ?? new Map<string, Exact>()
      const sum = (own.get(location) ?? 0n) + quantityOf(quantity, 'quantity')
      quantities.set(product, own.set(location, sum))
    }
  }
  return quantities
}
