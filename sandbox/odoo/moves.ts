// Stock moves: those that were done are the ledger, and what an order still brings are moves that are not done.
import type { Company } from '../company/company.ts'
import { stampOf } from '../company/days.ts'
import type { Movement } from '../company/ledger.ts'
import type { Order, OrderLine, SalesLine, SalesOrder } from '../company/model.ts'
import type { ModelRecord } from '../models/predicate.ts'
import type { Hints, Table } from '../models/table.ts'
import type { OdooBehaviour } from './behaviour.ts'
import { CUSTOMERS, LOSS, stockOf, SUBCONTRACTOR, SUPPLIERS } from './places.ts'
import { uomOf } from './units.ts'

/** Open moves have numbers from here on. */
const OPEN = 1_000_000_000
const DELIVERIES = 2 * OPEN
const COMPANY = { id: 1, name: 'Company' }

const OUTSIDE = { sale: CUSTOMERS, return: CUSTOMERS, receipt: SUPPLIERS, adjustment: LOSS }

/** Whether `quantity` is what was moved, and not `quantity_done`. */
const isNewer = ({ version }: OdooBehaviour) => version >= 17

export const moveTable = (company: Company, behaviour: OdooBehaviour): Table => ({
  fields: [
    ...['id', 'product_id', 'location_id', 'location_dest_id', 'date', 'product_uom', 'state'],
    ...['product_uom_qty', 'origin_returned_move_id', 'purchase_line_id', 'company_id'],
    ...['sale_line_id', 'origin', 'reference', 'write_date'],
    ...(behaviour.subcontracts ? ['is_subcontract'] : []),
    ...(isNewer(behaviour) ? ['quantity'] : ['quantity_done', 'reserved_availability']),
  ],
  *rows({ after, from, sets }: Hints) {
    const { ledger } = company
    const since = from.get('write_date') ?? from.get('date')
    const first =
      typeof since === 'string' ? ledger.firstAt(Date.parse(`${since.replace(' ', 'T')}Z`)) : 1
    const products = sets.get('product_id')
    for (let id = Math.max(after + 1, first); id <= ledger.size; id++) {
      const movement = ledger.movement(id)
      if (products && !products.has(movement.item.id)) continue
      yield doneRow(movement, behaviour)
    }
    for (const order of company.orders) {
      if (order.status === 'draft') continue
      for (const line of order.lines) {
        if (OPEN + line.id > after) yield openRow(order, line, behaviour)
      }
    }
    for (const order of company.salesOrders)
      for (const line of order.lines)
        if (DELIVERIES + line.id > after) yield deliveryRow(order, line, behaviour)
    yield* behaviour.otherMoves.filter(({ id }) => id > after)
  },
})

function doneRow(movement: Movement, behaviour: OdooBehaviour) {
  const { id, at, kind, item, location, quantity, ...of } = movement
  const isOut = behaviour.subcontracts && isOfSubcontractor(movement)
  const [inside, outside] = [stockOf(location.id), isOut ? SUBCONTRACTOR : OUTSIDE[kind]]
  const moved = Math.abs(quantity)
  return {
    ...{ id, state: 'done', date: stampOf(at), write_date: stampOf(at), company_id: COMPANY },
    product_id: { id: item.id, name: item.name },
    location_id: quantity < 0 ? inside : outside,
    location_dest_id: quantity < 0 ? outside : inside,
    ...{ product_uom: uomOf(item.unit, 1), product_uom_qty: moved },
    [isNewer(behaviour) ? 'quantity' : 'quantity_done']: moved,
    is_subcontract: isOut && kind === 'receipt',
    origin_returned_move_id: of.reverses ? { id: of.reverses, name: 'Move' } : false,
    purchase_line_id: of.line ? { id: of.line, name: 'Line' } : false,
  }
}

/** Orders, and what is sent for them, or comes back of that. */
function isOfSubcontractor({ id, kind, order, reverses }: Movement): boolean {
  if (kind === 'adjustment') return false
  const number = kind === 'receipt' ? order : kind === 'return' ? reverses : id
  return Boolean(number) && number! % 2 === 0
}

function openRow(order: Order, line: OrderLine, { subcontracts }: OdooBehaviour): ModelRecord {
  const { item, location } = line.pair
  const left = line.quantity - line.received
  const isOpen = order.status === 'open' && !line.isClosed && left > 0
  const factor = left % (item.orderUnit?.factor ?? 1) === 0 ? (item.orderUnit?.factor ?? 1) : 1
  return {
    ...{ id: OPEN + line.id, state: isOpen ? 'assigned' : 'cancel', company_id: COMPANY },
    ...{ date: `${line.due} 10:00:00`, write_date: stampOf(order.changedAt) },
    product_id: { id: item.id, name: item.name },
    location_id: subcontracts && order.id % 2 === 0 ? SUBCONTRACTOR : SUPPLIERS,
    location_dest_id: stockOf(location.id),
    is_subcontract: subcontracts && order.id % 2 === 0,
    ...{ product_uom: uomOf(item.unit, factor), product_uom_qty: left / factor },
    ...{ origin_returned_move_id: false, purchase_line_id: { id: line.id, name: 'Line' } },
  }
}

/** What goes to the customer: in kits twice as much as the line says of them. */
function deliveryRow(
  order: SalesOrder,
  line: SalesLine,
  { hasKitsAndDropShipping }: OdooBehaviour,
): ModelRecord {
  const { item, location } = line.pair
  const left = line.quantity - line.delivered
  const isOpen = order.status === 'open' && left > 0
  const isDropped = hasKitsAndDropShipping && order.id % 2 === 0
  return {
    ...{ id: DELIVERIES + line.id, state: isOpen ? 'confirmed' : 'cancel', company_id: COMPANY },
    ...{ date: `${line.due} 10:00:00`, write_date: stampOf(order.changedAt) },
    product_id: { id: item.id, name: item.name },
    location_id: isDropped ? SUPPLIERS : stockOf(location.id),
    ...{ location_dest_id: CUSTOMERS, origin: order.number },
    ...{ product_uom: uomOf(item.unit, 1), origin_returned_move_id: false },
    product_uom_qty: hasKitsAndDropShipping ? 2 * left : left,
    ...{ purchase_line_id: false, sale_line_id: { id: line.id, name: 'Line' } },
  }
}
