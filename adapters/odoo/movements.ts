// Rows of moves and order lines with the products, orders and partners that they name.
import { type ModelRow, readRowsOf } from '../rpc/reader.ts'
import type { Exact } from '../rows/decimals.ts'
import type {
  Link,
  MoveRow,
  PurchaseLineRow,
  PurchaseOrderRow,
  SaleLineRow,
  SaleOrderRow,
} from './entities.ts'
import type { Places } from './places.ts'
import type { KnownProduct, System } from './system.ts'
import { idOf, quantityOf, type Units } from './values.ts'

/** What mappers look up. */
export interface Lookup {
  places: Places
  units: Units
  product(link: Link): KnownProduct
  partner(link: Link | undefined): string | null
  dayOf: System['dayOf']
}

export interface Purchase {
  line: PurchaseLineRow
  order: PurchaseOrderRow | undefined
}

export interface Sale {
  line: SaleLineRow
  order: SaleOrderRow | undefined
}

const NOTHING: KnownProduct = { sku: null, uom: null }

export async function lookUp(
  system: System,
  products: Iterable<Link>,
  partners: Iterable<Link | undefined>,
  signal: AbortSignal,
): Promise<Lookup> {
  const [places, units, known, codes] = await Promise.all([
    system.places(signal),
    system.units(signal),
    system.products([...products].map(idOf), signal),
    system.partners([...partners].map(idOf), signal),
  ])
  return {
    ...{ places, units, dayOf: system.dayOf },
    product: (link) => known.get(idOf(link) ?? 0) ?? NOTHING,
    partner: (link) => codes.get(idOf(link) ?? 0) ?? null,
  }
}

/** The purchase order lines of moves, with their orders. */
export async function readPurchases(
  system: System,
  rows: readonly MoveRow[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, Purchase>> {
  const fields = await system.client.fieldsOf('purchase.order.line', signal)
  const unit = fields.has('product_uom_id') ? 'product_uom_id' : 'product_uom'
  const lines = await readLinked<PurchaseLineRow>(
    system,
    'purchase.order.line',
    ['order_id', 'date_planned', 'product_qty', unit, 'price_subtotal', 'currency_id'],
    rows.map(({ purchase_line_id: line }) => line),
    signal,
  )
  const known = await system.client.fieldsOf('purchase.order', signal)
  const more = ['date_approve', 'mail_reminder_confirmed'].filter((field) => known.has(field))
  const orders = await readLinked<PurchaseOrderRow>(
    system,
    'purchase.order',
    ['name', 'origin', 'partner_id', 'date_order', ...more],
    [...lines.values()].map(({ order_id: order }) => order),
    signal,
  )
  const withOrder = ([id, line]: [number, PurchaseLineRow]) =>
    [id, { line, order: orders.get(idOf(line.order_id) ?? 0) }] as const
  return new Map([...lines].map(withOrder))
}

/** The sale order lines of moves, with their orders. */
export async function readSales(
  system: System,
  rows: readonly MoveRow[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, Sale>> {
  const lines = await readLinked<SaleLineRow>(
    system,
    'sale.order.line',
    ['order_id', 'customer_lead'],
    rows.map(({ sale_line_id: line }) => line),
    signal,
  )
  const orders = await readLinked<SaleOrderRow>(
    system,
    'sale.order',
    ['name', 'date_order', 'commitment_date'],
    [...lines.values()].map(({ order_id: order }) => order),
    signal,
  )
  const withOrder = ([id, line]: [number, SaleLineRow]) =>
    [id, { line, order: orders.get(idOf(line.order_id) ?? 0) }] as const
  return new Map([...lines].map(withOrder))
}

export async function readLinked<Row extends ModelRow>(
  system: System,
  model: string,
  fields: readonly string[],
  links: readonly (Link | undefined)[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, Row>> {
  const numbers = links.map(idOf).filter((id) => id !== null)
  const query = { model, domain: [], fields }
  const rows = await readRowsOf<Row>(system.client, query, 'id', numbers, signal)
  return new Map(rows.map((row) => [row.id, row]))
}

/** What was moved, in the product's own unit. */
export function movedOf(row: MoveRow, product: KnownProduct, units: Units): Exact {
  const isOld = row.quantity_done !== undefined
  const [value, field] = isOld
    ? ([row.quantity_done, 'quantity_done'] as const)
    : ([row.quantity, 'quantity'] as const)
  return units.convert(quantityOf(value, field), idOf(row.product_uom), product.uom, 'product_uom')
}

/** What is to be moved yet, in the product's own unit; of a transfer of which a part has come so far, that part. */
export function plannedOf(row: MoveRow, product: KnownProduct, units: Units): Exact {
  const isPart = !row.purchase_line_id && row.state === 'partially_available'
  const [value, field] = isPart
    ? ([row.reserved_availability ?? row.quantity, 'quantity'] as const)
    : ([row.product_uom_qty, 'product_uom_qty'] as const)
  return units.convert(quantityOf(value, field), idOf(row.product_uom), product.uom, 'product_uom')
}
