// Tryton's locations: warehouses are trees of zones and bins; suppliers and customers are locations too.
import { DAY_MS } from '../rows/days.ts'
import type { Quantities } from '../rpc/pairs.ts'
import type { Exact } from '../rows/decimals.ts'
import { tellApart } from '../rpc/catalogue.ts'
import { type Domain, type ModelQuery, readPages, readRows } from '../rpc/reader.ts'
import type { Reads } from './client.ts'
import type { LocationRow, QuantityRow } from './entities.ts'
import { quantityOf } from './values.ts'

export interface Places {
  warehouses: { id: number; location: string; row: LocationRow }[]
  /** The warehouse that a zone or bin belongs to; null for what is in none. */
  warehouseOf(location: number): string | null
}

export const ORDER_POINTS: ModelQuery = { model: 'stock.order_point', domain: [], fields: ['id'] }

interface Companies extends Reads {
  isOneOfSeveral(signal: AbortSignal): Promise<boolean>
}

export async function readPlaces(system: Companies, signal: AbortSignal): Promise<Places> {
  const fields = ['name', 'code', 'type', 'warehouse', 'active', 'address.country.code']
  const query = { model: 'stock.location', domain: [], fields }
  const rows = await readRows<LocationRow>(system.client, query, signal)
  const all = rows.filter(({ type, active }) => type === 'warehouse' && active)
  const own = await ownOf(system, all, rows, signal)
  const names = tellApart(own, ({ id, code, name }) => code || name || String(id))
  const warehouses = own.map((row) => ({ id: row.id, location: names.get(row.id)!, row }))
  const places = new Map(rows.map(({ id, warehouse }) => [id, names.get(warehouse ?? id) ?? null]))
  return { warehouses, warehouseOf: (location) => places.get(location) ?? null }
}

/** The warehouses of the company: where a database has several, those that it has moves or order points of. */
async function ownOf(
  system: Companies,
  warehouses: readonly LocationRow[],
  all: readonly LocationRow[],
  signal: AbortSignal,
): Promise<LocationRow[]> {
  const { client } = system
  if (!(await system.isOneOfSeveral(signal))) return [...warehouses]
  const company = ['company', '=', await system.company(signal)]
  const hasAny = async (query: ModelQuery, ...domain: Domain) =>
    (await client.search({ ...query, domain: [company, ...domain] }, 1, signal)).rows.length > 0
  const own: LocationRow[] = []
  for (const each of warehouses) {
    const zones = all.filter(({ warehouse }) => warehouse === each.id).map(({ id }) => id)
    const moved = client.anyOf([['from_location', 'in', zones]], [['to_location', 'in', zones]])
    const isOwn =
      (await hasAny({ model: 'stock.move', domain: [], fields: ['id'] }, moved)) ||
      (await hasAny(ORDER_POINTS, ['warehouse_location', '=', each.id]))
    if (isOwn) own.push(each)
  }
  return own
}

// What is on hand, as Tryton itself computes it: in a warehouse with its input and output zones, at the end of its own today.

export const GOODS = ['type', '=', 'goods']

export async function readQuantities(
  system: Reads & { places(signal: AbortSignal): Promise<Places> },
  signal: AbortSignal,
): Promise<Quantities> {
  const quantities: Quantities = new Map()
  const { warehouses } = await system.places(signal)
  for (const { id, location } of warehouses) {
    const context = { locations: [id], with_childs: true }
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
