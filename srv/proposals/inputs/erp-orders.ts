import { byText } from '../../../engine/index.ts'
import { addDays } from '../../../engine/proposal/index.ts'
import { CurrentOpenOrders, readAs, Receipts } from '../../store/entities.ts'
import { type ErpOrder, orderKey } from '../lifecycle/match-orders.ts'
import type { Proposal } from '../to-proposal.ts'

/** Of so many SKUs only their orders are read, of more all. */
const FEW = 500

type Row = Omit<ErpOrder, 'open' | 'received'> & { line: string; quantity: unknown }

const COLUMNS = [
  ...['document', 'line', 'sku', 'location', 'supplier'],
  ...['orderedOn', 'reference', 'quantity'],
]

/** The orders of these proposals' SKUs, open or received since the first of them was decided, by document and pair. */
export async function readErpOrders(source: number, proposals: Proposal[]): Promise<ErpOrder[]> {
  const skus = [...new Set(proposals.map(({ sku }) => sku))]
  const where = { source_ID: source, ...(skus.length <= FEW && { sku: { in: skus } }) }
  const decided = proposals.flatMap(({ decidedAt }) => decidedAt ?? []).sort()
  const since = decided[0] && { receivedOn: { '>=': addDays(decided[0], -1) } }
  const open = await readAs<Row>(
    SELECT.from(CurrentOpenOrders)
      .columns(...COLUMNS)
      .where(where),
  )
  const received = since
    ? await readAs<Row>(
        SELECT.from(Receipts)
          .columns(...COLUMNS)
          .where({ ...where, ...since }),
      )
    : []
  const orders = new Map<string, ErpOrder>()
  add(orders, open, 'open')
  add(orders, received, 'received')
  return [...orders.values()]
    .filter((order) => order.open + order.received > 0)
    .sort((a, b) => byText(a.document, b.document))
}

const byLine = (a: Row, b: Row) => byText(a.line, b.line) || Number(a.quantity) - Number(b.quantity)

function add(orders: Map<string, ErpOrder>, rows: Row[], as: 'open' | 'received') {
  // Of several lines the first one that says something speaks for the order.
  for (const { quantity, line: _, ...row } of rows.sort(byLine)) {
    const key = orderKey(row.document, row)
    const known = orders.get(key)
    const order = known ?? { ...row, open: 0, received: 0 }
    order[as] += Number(quantity)
    order.reference ??= row.reference
    order.orderedOn ??= row.orderedOn
    order.supplier ??= row.supplier
    if (!known) orders.set(key, order)
  }
}
