// Tryton's locations: warehouses are trees of zones and bins; suppliers and customers are locations too.
import { DAY_MS } from '../rows/days.ts'
import type { Quantities } from '../rpc/pairs.ts'
import type { Exact } from '../rows/decimals.ts'
import { readPages, readRows } from '../rpc/reader.ts'
import type { Reads } from './client.ts'
import type { LocationRow, QuantityRow } from './entities.ts'
import { quantityOf } from './values.ts'

export interface Places {
  warehouses: { id: number; location: string; row: LocationRow }[]
  /** The warehouse that a zone or bin belongs to; null for what is in none. */
  warehouseOf(location: number): string | null
}

export async function readPlaces(system: Reads, signal: AbortSignal): Promise<Places> {
  const fields = ['name', 'code', 'type', 'warehouse', 'active', 'address.country.code']
  const query = { model: 'stock.location', domain: [], fields }
  const rows = await readRows<LocationRow>(system.client, query, signal)
  const warehouses = rows
    .filter(({ type, active }) => type === 'warehouse' && active)
    .map((row) => ({ id: row.id, location: row.code || row.name || String(row.id), row }))
  const codes = new Map(warehouses.map(({ id, location }) => [id, location]))
  const places = new Map(rows.map(({ id, warehouse }) => [id, codes.get(warehouse ?? id) ?? null]))
  return { warehouses, warehouseOf: (location) => places.get(location) ?? null }
}

// What is on hand, as Tryton itself computes it: in a warehouse with its input and output zones, at the end of today.

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
const dateValue = (day: Date) => ({
  __class__: 'date',
  ...{ year: day.getUTCFullYear(), month: day.getUTCMonth() + 1, day: day.getUTCDate() },
})

/** The first day of the history that is read. */
export const firstDay = (days: number) => dateValue(new Date(Date.now() - days * DAY_MS))
