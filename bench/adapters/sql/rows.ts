// The rows of a company as its views for the sql adapter give them.
import type { ViewRow, ViewRows } from '../../../test/support/databases/database.ts'
import type { Company } from '../../../sandbox/company/company.ts'
import { dayOfTime } from '../../../sandbox/company/days.ts'
import type { Item, OrderLine, SalesLine } from '../../../sandbox/company/model.ts'

const timestamp = (at: number) => new Date(at).toISOString().replace('T', ' ').slice(0, 23)

/** What has no time of its own, and is written anew after each change. */
export const listsOf = (company: Company): ViewRows => ({
  locations: company.locations.map(({ code, name }) => ({ location: code, name, country: 'DE' })),
  suppliers: company.suppliers.map(({ code, name }) => ({ supplier: code, name })),
  items: company.items.map(toItem),
  planning: company.pairs.map(({ item, location }) => ({
    ...{ sku: item.code, location: location.code, lead_time_days: item.leadTimeDays },
    ...{ moq: item.moq, lot_size: item.lotSize, changed_at: timestamp(item.changedAt) },
  })),
  stock: company.pairs.map(({ item, location, onHand }) => ({
    ...{ sku: item.code, location: location.code, on_hand: onHand },
  })),
  open_orders: company.orders.flatMap(({ number, status, supplier, orderedAt, lines }) =>
    lines
      .filter(({ isClosed, received, quantity }) => !isClosed && received < quantity)
      .filter(() => status === 'open')
      .map((line) => ({
        ...toLine(number, line, line.quantity - line.received),
        ...{ supplier: supplier.code, ordered_on: dayOfTime(orderedAt) },
      })),
  ),
  customer_orders: company.salesOrders.flatMap(({ number, status, lines }) =>
    lines
      .filter(({ delivered, quantity }) => status === 'open' && delivered < quantity)
      .map((line) => toLine(number, line, line.quantity - line.delivered)),
  ),
})

/** Demand and receipts. @param from the number of the first movement */
export function movementsOf(company: Company, from: number): ViewRows {
  const orders = new Map(company.orders.map((order) => [order.id, order]))
  const [demand, receipts]: [ViewRow[], ViewRow[]] = [[], []]
  for (let id = from; id <= company.ledger.size; id++) {
    const { at, kind, item, location, quantity, ...of } = company.ledger.movement(id)
    const common = {
      ...{ sku: item.code, location: location.code },
      ...{ changed_at: timestamp(at), created_at: timestamp(at) },
    }
    if (kind === 'sale' || kind === 'return') {
      const reversal_of = of.reverses === null ? null : String(of.reverses)
      const row = { id: String(id), day: dayOfTime(at), quantity: -quantity, reversal_of }
      demand.push({ ...common, ...row })
    }
    const order = kind === 'receipt' && orders.get(of.order!)
    const line = order && order.lines.find((each) => each.id === of.line)
    if (!line) continue
    receipts.push({
      ...{ ...common, document: order.number, line: String(line.number), receipt: String(id) },
      ...{ quantity, received_on: dayOfTime(at), ordered_on: dayOfTime(order.orderedAt) },
      ...{ due: line.due, supplier: order.supplier.code },
    })
  }
  return { demand, receipts }
}

const toItem = (item: Item): ViewRow => ({
  ...{ sku: item.code, name: item.name, unit: item.unit, sku_group: item.group, currency: 'EUR' },
  ...{ supplier: item.supplier.code, unit_cost: Number(item.unitCost), purchasable: item.isActive },
  changed_at: timestamp(item.changedAt),
})

const toLine = (
  document: string,
  { number, pair, due }: OrderLine | SalesLine,
  quantity: number,
): ViewRow => ({
  ...{ document, line: String(number), sku: pair.item.code, location: pair.location.code },
  ...{ quantity, due },
})
