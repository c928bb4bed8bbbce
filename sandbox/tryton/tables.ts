// A company as the tables of Tryton, as far as they are read.
import type { Company } from '../company/company.ts'
import { pairsByItem } from '../company/indexes.ts'
import type { Item, Order, OrderLine, Pair, SalesLine, SalesOrder } from '../company/model.ts'
import type { ModelRecord } from '../models/predicate.ts'
import { tableOf } from '../models/table.ts'
import type { Table } from '../models/table.ts'
import { dayOfTime } from '../company/days.ts'
import { locationRows, warehouseId } from './places.ts'
import { moveTable, PRODUCTION } from './moves.ts'
import { day, days, decimal, time } from './values.ts'

const EUR = { id: 1, code: 'EUR' }

const uomOf = (unit: string, factor: number) => ({
  ...{ id: factor === 1 ? (unit === 'KG' ? 2 : 1) : 100 + factor, factor, rate: 1 / factor },
  ...{ rounding: 1, symbol: factor === 1 ? unit : `Carton of ${factor}` },
})

const partyOf = ({ supplier }: Pick<Item, 'supplier'>) => ({
  ...{ id: 1_000 + supplier.id, code: supplier.code, name: supplier.name },
  ...{ supplier_lead_time: null, write_date: null },
})

/** @param warehouse in which quantities are asked for; null outside a context of locations */
export function tablesOf(company: Company, warehouse: number | null): Record<string, Table> {
  const byId = <T extends { id: number }>({ id }: T) => id
  const plain = (rows: () => ModelRecord[]) =>
    tableOf(Object.keys(rows()[0] ?? {}), rows, { id: byId }, (row) => row)
  const pairs = pairsByItem(company)
  const changed = (at: number) => ({ create_date: time(at), write_date: null })
  const linesOf = <T extends { id: number }, O extends { lines: T[] }>(orders: O[]) =>
    orders.flatMap((order) => order.lines.map((line) => ({ id: line.id, order, line })))
  return {
    'company.company': plain(() => [
      { id: 1, currency: EUR, timezone: null, party: { id: 1, name: 'Sandbox' } },
    ]),
    'party.party': plain(() => company.suppliers.map((supplier) => partyOf({ supplier }))),
    'product.template': plain(() => company.items.map(({ id, name }) => ({ id, name }))),
    'product.uom': plain(() => [uomOf('PCE', 1)]),
    'purchase.purchase': plain(() => company.orders.map(({ id, number }) => ({ id, number }))),
    'sale.sale': plain(() => company.salesOrders.map(({ id, number }) => ({ id, number }))),
    production: plain(() => [{ id: PRODUCTION.id, number: PRODUCTION.number }]),
    'stock.location': plain(() => locationRows(company)),
    'product.product': tableOf(
      [],
      () => company.items,
      { id: byId, template: byId },
      (item) => ({
        ...{ code: item.code, active: item.isActive, type: 'goods' },
        template: {
          ...{ id: item.id, name: item.name, active: item.isActive, purchasable: true },
          ...changed(item.changedAt),
        },
        ...{ cost_price: decimal(item.unitCost), cost_prices: [] },
        default_uom: uomOf(item.unit, 1),
        purchase_uom: uomOf(item.unit, item.orderUnit?.factor ?? 1),
        ...(warehouse !== null && { quantity: quantityAt(warehouse, pairs.get(item)) }),
        ...changed(item.changedAt),
      }),
    ),
    'purchase.product_supplier': tableOf(
      [],
      () => company.items,
      { id: byId, template: byId },
      (item) => ({
        ...{ template: { id: item.id }, product: null, sequence: 1, active: true },
        company: { id: 1 },
        ...{ lead_time: days(item.leadTimeDays), party: partyOf(item), currency: EUR },
        ...{ prices: [], ...changed(item.changedAt) },
      }),
    ),
    'purchase.product_supplier.price': tableOf(
      [],
      () => pricesOf(company.items),
      { id: byId, product_supplier: ({ item }) => item.id },
      ({ item, isBreak }) => {
        const factor = item.orderUnit?.factor ?? 1
        return {
          ...{ product_supplier: { id: item.id }, sequence: isBreak ? 2 : 1 },
          quantity: (item.moq / factor) * (isBreak ? 10 : 1),
          unit_price: decimal((Number(item.unitCost) * factor * (isBreak ? 0.9 : 1)).toFixed(4)),
          ...changed(item.changedAt),
        }
      },
    ),
    'stock.order_point': tableOf(
      [],
      () => company.items.filter(({ id }) => id % 7 === 0),
      { id: byId, product: byId },
      (item) => ({
        product: { id: item.id },
        ...{
          company: { id: 1 },
          warehouse_location: { id: warehouseId(company.locations[0]!.id) },
        },
        ...changed(item.changedAt),
      }),
    ),
    'stock.move': moveTable(company),
    'purchase.line': tableOf(
      [],
      () => linesOf<OrderLine, Order>(company.orders),
      { id: byId },
      ({ order, line }) => ({
        purchase: {
          ...{ id: order.id, number: order.number, reference: null, company: { id: 1 } },
          currency: EUR,
          ...{ purchase_date: day(dayOfTime(order.orderedAt)), party: partyOf(order) },
          state: order.status === 'open' ? 'processing' : order.status,
          warehouse: { id: warehouseId(line.pair.location.id) },
        },
        ...wanted(line.pair, line.quantity),
        unit_price: decimal(
          (
            Number(line.price ?? line.pair.item.unitCost) *
            (1 - (line.discount ?? 0) / 100)
          ).toFixed(4),
        ),
        ...{ delivery_date: day(line.due), create_date: time(order.orderedAt) },
      }),
    ),
    // The first of each ten pairs is asked for, by the carton.
    'purchase.request': tableOf(
      [],
      () =>
        company.pairs.filter((_, at) => at % 10 === 0).map((pair, at) => ({ id: at + 1, pair })),
      { id: byId },
      ({ id, pair }) => ({
        ...{ state: id % 5 === 0 ? 'done' : 'draft', company: { id: 1 } },
        purchase_line: id % 5 === 0 ? { id: company.orders[0]!.lines[0]!.id } : null,
        ...wanted(pair, 3, pair.item.orderUnit?.factor ?? 1),
        ...{ warehouse: { id: warehouseId(pair.location.id) }, party: partyOf(pair.item) },
        ...{ supply_date: day('2027-03-01'), create_date: time(pair.item.changedAt) },
      }),
    ),
    'sale.line': tableOf(
      [],
      () => linesOf<SalesLine, SalesOrder>(company.salesOrders),
      { id: byId },
      ({ order }) => ({ sale: { id: order.id, number: order.number } }),
    ),
  }
}

const wanted = ({ item }: Pair, quantity: number, factor = 1) => ({
  product: { id: item.id, default_uom: uomOf(item.unit, 1) },
  ...{ quantity, unit: uomOf(item.unit, factor) },
})

/** With the warehouse's zones. */
const quantityAt = (warehouse: number, pairs: readonly Pair[] = []) =>
  pairs.find(({ location }) => warehouseId(location.id) === warehouse)?.onHand ?? 0

/** Every tenth item has a second price. */
function* pricesOf(items: readonly Item[]) {
  for (const item of items) yield { id: item.id, item, isBreak: false }
  for (const item of items) {
    if (item.id % 10 === 0) yield { id: 10_000_000 + item.id, item, isBreak: true }
  }
}
