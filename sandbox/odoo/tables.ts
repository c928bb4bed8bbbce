// A company as the tables of Odoo, of version 18 or 19.
import type { Company } from '../company/company.ts'
import { stampOf } from '../company/days.ts'
import { pairsById } from '../company/indexes.ts'
import type { Item, Order, OrderLine, Pair } from '../company/model.ts'
import { tableOf } from '../models/table.ts'
import type { Table } from '../models/table.ts'
import type { OdooBehaviour } from './behaviour.ts'
import { moveTable } from './moves.ts'
import { locationRows, SUBCONTRACTING, warehouseView } from './places.ts'
import { uomOf, uomRows } from './units.ts'

export const EUR = { id: 1, name: 'EUR' }
export const COMPANY = { id: 1, name: 'Company' }

export const partnerId = (supplier: number) => 1_000 + supplier
const vendorUom = ({ unit, orderUnit }: Item) => uomOf(unit, orderUnit?.factor ?? 1)
const isNew = ({ version }: OdooBehaviour) => version >= 19
const pairId = ({ item, location }: Pair) => item.id * 100 + location.id

const stateOf = ({ status }: Pick<Order, 'status'>) =>
  status === 'cancelled' ? 'cancel' : status === 'draft' ? 'draft' : 'purchase'

/** Only where the module is there; before version 18 the kind of an agreement was another record. */
function agreementTables({ agreements, version }: OdooBehaviour): Record<string, Table> {
  if (!agreements) return {}
  const own = () => agreements
  const kind = version >= 18 ? ['requisition_type'] : []
  return {
    'purchase.requisition': tableOf(
      ['id', 'name', 'vendor_id', 'date_start', 'date_end', 'currency_id', 'state', ...kind],
      own,
      { id: ({ id }) => id },
      ({ id, item, type, state, from, until }) => ({
        ...{ name: `BO0000${id}`, requisition_type: type, state, currency_id: EUR },
        vendor_id: { id: partnerId(item.supplier.id), name: item.supplier.name },
        ...{ date_start: from, date_end: until },
      }),
    ),
    'purchase.requisition.line': tableOf(
      [
        ...['id', 'requisition_id', 'product_id', 'product_uom_id', 'product_qty', 'qty_ordered'],
        ...['price_unit', 'company_id'],
      ],
      own,
      { id: ({ id }) => id },
      ({ id, item, type, state, quantity, ordered, price }) => ({
        requisition_id: { id, name: `BO0000${id}`, requisition_type: type, state },
        product_id: { id: item.id, name: item.name },
        ...{ product_uom_id: uomOf(item.unit, 12), product_qty: quantity, qty_ordered: ordered },
        ...{ price_unit: price, company_id: COMPANY },
      }),
    ),
  }
}

export function tablesOf(company: Company, behaviour: OdooBehaviour): Record<string, Table> {
  const byId = <T extends { id: number }>({ id }: T) => id
  const pairs = () => pairsById(company)
  const plain = (rows: () => { id: number }[], extra: string[] = []) =>
    tableOf([...Object.keys(rows()[0] ?? { id: 0 }), ...extra], rows, { id: byId }, (row) => row)
  const orderLines = () =>
    company.orders.flatMap((order) => order.lines.map((line) => ({ id: line.id, order, line })))
  const salesLines = () =>
    company.salesOrders.flatMap((order) =>
      order.lines.map((line) => ({ id: line.id, order, line })),
    )
  const newFields = isNew(behaviour) ? ['is_storable'] : ['type', 'uom_po_id']
  const unitField = isNew(behaviour) ? 'product_uom_id' : 'product_uom'
  return {
    'res.company': plain(() => [
      {
        ...{ ...COMPANY, currency_id: EUR },
        ...(behaviour.subcontracts && { subcontracting_location_id: SUBCONTRACTING }),
      },
      ...(behaviour.isMultiCompany ? [{ id: 2, name: 'Branch', currency_id: EUR }] : []),
    ]),
    'stock.warehouse': plain(() =>
      company.locations.map(({ id, code, name }) => ({
        ...{ id, code, name, active: true, company_id: COMPANY },
        view_location_id: { id: warehouseView(id), name: code },
      })),
    ),
    'stock.location': plain(() => locationRows(company)),
    'uom.uom': plain(() => uomRows(isNew(behaviour))),
    'product.product': tableOf(
      [
        ...['id', 'default_code', 'barcode', 'name', 'active', 'uom_id', 'product_tmpl_id'],
        ...['standard_price', 'categ_id', 'purchase_ok', 'write_date', 'company_id', ...newFields],
      ],
      () => company.items,
      { id: byId, product_tmpl_id: byId },
      (item) => ({
        ...{ default_code: item.code, barcode: false, name: item.name, active: item.isActive },
        ...{ uom_id: uomOf(item.unit, 1), standard_price: Number(item.unitCost) },
        product_tmpl_id: { id: item.id, name: item.name, write_date: stampOf(item.changedAt) },
        categ_id: { id: 1, name: `All / ${item.group}` },
        ...{ purchase_ok: true, write_date: stampOf(item.changedAt), company_id: false },
        ...{ is_storable: true, type: 'product', uom_po_id: vendorUom(item) },
      }),
    ),
    'product.supplierinfo': tableOf(
      [
        ...['id', 'partner_id', 'product_tmpl_id', 'product_id', 'sequence', 'min_qty', 'price'],
        ...['discount', 'delay', 'currency_id', 'date_start', 'date_end', 'company_id'],
        ...['write_date', unitField],
      ],
      () => supplierInfos(company.items),
      { id: byId, product_tmpl_id: ({ item }) => item.id },
      ({ item, isBreak }) => {
        const factor = item.orderUnit?.factor ?? 1
        return {
          partner_id: { id: partnerId(item.supplier.id), name: item.supplier.name },
          product_tmpl_id: { id: item.id, name: item.name },
          ...{ product_id: false, sequence: 1, delay: item.leadTimeDays, currency_id: EUR },
          ...{ min_qty: (item.moq / factor) * (isBreak ? 10 : 1), discount: isBreak ? 10 : 0 },
          price: Math.round(Number(item.unitCost) * factor * 100) / 100,
          ...{ date_start: false, date_end: false, company_id: false },
          ...{ write_date: stampOf(item.changedAt), [unitField]: vendorUom(item) },
        }
      },
    ),
    'res.partner': plain(() =>
      company.suppliers.map(({ id, code, name }) => ({ id: partnerId(id), ref: code, name })),
    ),
    'stock.warehouse.orderpoint': tableOf(
      [
        ...['id', 'product_id', 'warehouse_id', 'active', 'write_date', 'company_id'],
        ...(isNew(behaviour) ? [] : ['qty_multiple']),
      ],
      () => pairs().filter((pair) => pairId(pair) % 7 === 0),
      { id: pairId, product_id: ({ item }) => item.id },
      ({ item, location }) => ({
        product_id: { id: item.id, name: item.name },
        warehouse_id: { id: location.id, name: location.name },
        ...{ active: true, write_date: stampOf(item.changedAt), company_id: COMPANY },
        qty_multiple: item.lotSize,
      }),
    ),
    'stock.quant': tableOf(
      [
        'id',
        'product_id',
        'location_id',
        'quantity',
        'reserved_quantity',
        'owner_id',
        'company_id',
        'lot_id',
      ],
      () => quantsOf(pairs(), behaviour),
      { id: byId },
      ({ id, pair, quantity, place, owner }) => ({
        product_id: { id: pair.item.id, name: pair.item.name },
        location_id: { id: place, name: 'Stock', usage: 'internal' },
        ...{ quantity, reserved_quantity: 0, owner_id: owner, company_id: COMPANY },
        lot_id: id % 4 === 1 ? lotOf(pair) : false,
      }),
    ),
    'stock.lot': tableOf(
      ['id', 'name', ...(behaviour.knowsExpiry ? ['expiration_date'] : [])],
      () => pairs().map(lotOf),
      { id: byId },
      (lot) => lot,
    ),
    'stock.move': moveTable(company, behaviour),
    'purchase.order.line': tableOf(
      [
        ...['id', 'order_id', 'date_planned', 'product_id', 'product_qty', 'qty_received', 'state'],
        ...['company_id', unitField, 'price_unit', 'discount', 'price_subtotal', 'currency_id'],
      ],
      orderLines,
      { id: byId },
      ({ order, line }) => ({
        order_id: { id: order.id, name: order.number },
        ...{ date_planned: `${line.due} 10:00:00`, state: stateOf(order), company_id: COMPANY },
        product_id: { id: line.pair.item.id, name: line.pair.item.name },
        ...{ product_qty: line.quantity, qty_received: line.received },
        ...priceOf(line),
        [unitField]: uomOf(line.pair.item.unit, 1),
      }),
    ),
    'purchase.order': tableOf(
      [
        ...['id', 'name', 'origin', 'partner_id', 'date_order', 'date_approve', 'state'],
        ...['create_date', 'picking_type_id', 'mail_reminder_confirmed'],
      ],
      () => company.orders,
      { id: byId },
      ({ number, supplier, orderedAt, lines: [first], ...order }) => ({
        ...{ name: number, origin: false, date_order: stampOf(orderedAt), date_approve: false },
        partner_id: { id: partnerId(supplier.id), name: supplier.name },
        create_date: stampOf(orderedAt),
        picking_type_id: first ? { id: first.pair.location.id, name: 'Receipts' } : false,
        ...{ state: stateOf(order), mail_reminder_confirmed: order.id % 2 === 0 },
      }),
    ),
    ...agreementTables(behaviour),
    'stock.picking.type': plain(() =>
      company.locations.map(({ id, name }) => ({ id, warehouse_id: { id, name } })),
    ),
    'sale.order.line': tableOf(
      [
        ...['id', 'order_id', 'product_id', 'product_uom_qty', 'qty_delivered', 'customer_lead'],
        ...['company_id', unitField],
      ],
      salesLines,
      { id: byId },
      ({ order, line }) => ({
        order_id: {
          ...{ id: order.id, name: order.number },
          state: order.status === 'cancelled' ? 'cancel' : 'sale',
          picking_ids: [{ state: order.status === 'open' ? 'assigned' : 'done' }],
        },
        product_id: { id: line.pair.item.id, name: line.pair.item.name },
        ...{ product_uom_qty: line.quantity, qty_delivered: line.delivered, customer_lead: 0 },
        ...{ company_id: COMPANY, [unitField]: uomOf(line.pair.item.unit, 1) },
      }),
    ),
    'sale.order': tableOf(
      ['id', 'name', 'date_order', 'commitment_date', 'warehouse_id', 'state'],
      () => company.salesOrders,
      { id: byId },
      ({ number, orderedAt, lines: [first] }) => ({
        ...{ name: number, date_order: stampOf(orderedAt), state: 'sale' },
        commitment_date: first ? `${first.due} 10:00:00` : false,
        warehouse_id: first
          ? { id: first.pair.location.id, name: first.pair.location.name }
          : false,
      }),
    ),
  }
}

const priceOf = ({ pair, quantity, price = pair.item.unitCost, discount = 0 }: OrderLine) => ({
  ...{ price_unit: Number(price), discount, currency_id: { id: 1, name: 'EUR' } },
  price_subtotal: Math.round(quantity * Number(price) * (100 - discount)) / 100,
})

/** What lies on a pair's shelf; each second one expires. */
const lotOf = (pair: Pair) => ({
  ...{ id: pairId(pair), name: `LOT${pairId(pair)}` },
  expiration_date: pairId(pair) % 2 ? '2031-05-31 10:00:00' : false,
})

/** Every tenth item has a second price. */
function* supplierInfos(items: readonly Item[]) {
  for (const item of items) yield { id: item.id, item, isBreak: false }
  for (const item of items) {
    if (item.id % 10 === 0) yield { id: 10_000_000 + item.id, item, isBreak: true }
  }
}

/** What lies on a shelf is a quant of its own; of what is sold out there is none. */
function* quantsOf(pairs: readonly Pair[], { hasConsignment }: OdooBehaviour) {
  for (const pair of pairs) {
    const [id, stock] = [pairId(pair) * 4, warehouseView(pair.location.id) + 1]
    const shelf = pair.onHand > 50 ? 20.5 : 0
    const owner = false
    const rest = pair.onHand - shelf
    if (rest !== 0) yield { id, pair, quantity: rest, place: stock, owner }
    if (shelf) yield { id: id + 1, pair, quantity: shelf, place: stock + 1, owner }
    if (hasConsignment) {
      yield { id: id + 2, pair, quantity: 7, place: stock, owner: { id: 9, name: 'Owner' } }
    }
  }
}
