// Tryton's locations: warehouses are trees of zones and bins; suppliers and customers are locations too.
import { readRows } from '../rpc/rows.ts'
import type { LocationRow } from './entities.ts'
import type { Reads } from './reads.ts'

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
