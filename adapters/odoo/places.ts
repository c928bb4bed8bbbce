// Odoo's locations: a warehouse is what lies below its view location.
import { readRows } from '../rpc/rows.ts'
import type { LocationRow, WarehouseRow } from './entities.ts'
import type { Reads } from './reads.ts'
import { idOf } from './values.ts'

export interface Places {
  warehouses: { id: number; location: string; row: WarehouseRow }[]
  /** By the number of the warehouse itself. */
  codes: ReadonlyMap<number, string>
  /** The warehouse that a location lies in; null for what is in none. */
  warehouseOf(location: number | null): string | null
}

export async function readPlaces(system: Reads, signal: AbortSignal): Promise<Places> {
  const company = [['company_id', '=', await system.company(signal)]]
  const fields = ['code', 'name', 'view_location_id']
  const query = { model: 'stock.warehouse', domain: [...company, ['active', '=', true]], fields }
  const rows = await readRows<WarehouseRow>(system.client, query, signal)
  const locations = await readRows<LocationRow>(
    system.client,
    { model: 'stock.location', domain: [], fields: ['parent_path'] },
    signal,
  )
  const warehouses = rows.map((row) => ({
    ...{ id: row.id, location: row.code || row.name || String(row.id), row },
  }))
  const views = new Map(
    warehouses.map(({ location, row }) => [idOf(row.view_location_id), location]),
  )
  const places = new Map(
    locations.map(({ id, parent_path: path }) => {
      const above = (path || '').split('/').map(Number)
      return [id, above.map((each) => views.get(each)).find((each) => each) ?? null]
    }),
  )
  return {
    warehouses,
    codes: new Map(warehouses.map(({ id, location }) => [id, location])),
    warehouseOf: (location) => (location === null ? null : (places.get(location) ?? null)),
  }
}
