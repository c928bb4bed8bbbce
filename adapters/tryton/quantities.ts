// What is on hand, as Tryton itself computes it: in a warehouse with its input and output zones, at the end of today.
import { readPages } from '../rpc/rows.ts'
import type { QuantityRow } from './entities.ts'
import type { Places } from './places.ts'
import type { Reads } from './reads.ts'
import { quantityOf } from './values.ts'
import type { Exact } from '../rows/decimals.ts'

/** Of each product number, by warehouse; without zeros. */
export type Quantities = Map<number, Map<string, Exact>>

export const GOODS = ['type', '=', 'goods']

export async function readQuantities(
  system: Reads & { places(signal: AbortSignal): Promise<Places> },
  signal: AbortSignal,
): Promise<Quantities> {
  const quantities: Quantities = new Map()
  const { warehouses } = await system.places(signal)
  const today = dateValue(new Date(await system.client.now(signal)))
  for (const { id, location } of warehouses) {
    const context = { locations: [id], with_childs: true, stock_date_end: today }
    const query = { model: 'product.product', domain: [GOODS], fields: ['quantity'], context }
    for await (const { rows } of readPages<QuantityRow>(system.client, query, signal)) {
      for (const { id: product, quantity } of rows) {
        const units = quantityOf(quantity, 'quantity')
        if (units === 0n) continue
        const own = quantities.get(product) ?? new Map<string, Exact>()
        quantities.set(product, own.set(location, units))
      }
    }
  }
  return quantities
}

/** A day in a condition or a context. */
export const dateValue = (day: Date) => ({
  __class__: 'date',
  ...{ year: day.getUTCFullYear(), month: day.getUTCMonth() + 1, day: day.getUTCDate() },
})

/** The first day of the history that is read. */
export const firstDay = (days: number) => dateValue(new Date(Date.now() - days * 86_400_000))
