// Odoo's locations: a warehouse is what lies below its view location.
import type { Quantities } from '../rpc/pairs.ts'
import type { Exact } from '../rows/decimals.ts'
import { readPages, readRows } from '../rpc/reader.ts'
import type { Reads } from './client.ts'
import type { CompanyRow, LocationRow, QuantRow, WarehouseRow } from './entities.ts'
import { idOf, quantityOf } from './values.ts'

export interface Places {
  warehouses: { id: number; location: string; row: WarehouseRow }[]
  /** By the number of the warehouse itself. */
  codes: ReadonlyMap<number, string>
  /** The warehouse that a location lies in; null for what is in none. */
  warehouseOf(location: number | null): string | null
  /**
   * Locations that stand for subcontractors. They are internal ones and in no warehouse: what is ordered from a subcontractor
   * comes from there, and not from a location of suppliers, and what it is made of is sent there.
   */
  subcontractors: readonly number[]
}

export async function readPlaces(system: Reads, signal: AbortSignal): Promise<Places> {
  const company = [['company_id', '=', await system.company(signal)]]
  const fields = ['code', 'name', 'view_location_id']
  const query = { model: 'stock.warehouse', domain: [...company, ['active', '=', true]], fields }
  const rows = await readRows<WarehouseRow>(system.client, query, signal)
  const known = await system.client.fieldsOf('stock.location', signal)
  const marked = ['is_subcontracting_location'].filter((field) => known.has(field))
  const locations = await readRows<LocationRow>(
    system.client,
    { model: 'stock.location', domain: [], fields: ['parent_path', ...marked] },
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
      return [id, numbersIn(path).flatMap((each) => views.get(each) ?? [])[0] ?? null]
    }),
  )
  const root = await readSubcontracting(system, signal)
  const isSubcontractor = ({ id, parent_path: path, ...row }: LocationRow) =>
    places.get(id) === null &&
    (row.is_subcontracting_location || (root !== null && numbersIn(path).includes(root)))
  return {
    warehouses,
    subcontractors: locations.filter(isSubcontractor).map(({ id }) => id),
    codes: new Map(warehouses.map(({ id, location }) => [id, location])),
    warehouseOf: (location) => (location === null ? null : (places.get(location) ?? null)),
  }
}

const numbersIn = (path: LocationRow['parent_path']) => (path || '').split('/').map(Number)

/** The company's location of subcontractors, with one for each of them below; null without the module. */
async function readSubcontracting(system: Reads, signal: AbortSignal): Promise<number | null> {
  const field = 'subcontracting_location_id'
  if (!(await system.client.fieldsOf('res.company', signal)).has(field)) return null
  const domain = [['id', '=', await system.company(signal)]]
  const query = { model: 'res.company', domain, fields: [field] }
  const [company] = await readRows<CompanyRow>(system.client, query, signal)
  return idOf(company?.[field])
}

/** Own stock at internal locations. */
export const quantDomain = async (system: Reads, signal: AbortSignal) => [
  ['company_id', '=', await system.company(signal)],
  ['location_id.usage', '=', 'internal'],
  ['owner_id', '=', false],
]

/** Own stock; Odoo merges and deletes quants, so that all are read each time. */
export async function readQuantities(
  system: Reads & { places(signal: AbortSignal): Promise<Places> },
  signal: AbortSignal,
): Promise<Quantities> {
  const quantities: Quantities = new Map()
  const { warehouseOf } = await system.places(signal)
  const query = {
    ...{ model: 'stock.quant', domain: await quantDomain(system, signal) },
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
