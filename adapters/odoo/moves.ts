// The streams of moves and order lines.
import { DAY_MS } from '../rows/days.ts'
import { addRecords, type Batch, batchOf, pagesOf, type SnapshotPage } from '../rows/pages.ts'
import type { RecordKind, RecordOf } from '../records.ts'
import { changedStream } from '../rpc/changed-stream.ts'
import { changedSince, type Domain, type ModelQuery, readPages } from '../rpc/reader.ts'
import type { MoveRow } from './entities.ts'
import { lookUp, type Lookup, type Purchase, readPurchases, readSales } from './movements.ts'
import { MOVE_TIMES } from './pairs.ts'
import type { System } from './system.ts'
import { toCustomerOrder, toDemand, toOpenOrder, toReceipt } from './to-movements.ts'
import { idOf } from './values.ts'

const FIELDS = [
  ...['product_id', 'location_id', 'location_dest_id', 'date', 'product_uom'],
  ...['product_uom_qty', 'quantity', 'quantity_done'],
  ...['origin_returned_move_id', 'purchase_line_id', 'sale_line_id', 'origin'],
  ...['state', 'reference', 'reserved_availability'],
]

const DONE: Domain = ['state', '=', 'done']
const OPEN: Domain = ['state', 'not in', ['draft', 'done', 'cancel']]
const OF_PURCHASE: Domain = ['purchase_line_id', '!=', false]
/** Second halves of transfers between warehouses, whose goods have left the first one. */
const UNDER_WAY: Domain[] = [
  ['purchase_line_id', '=', false],
  ['state', 'in', ['assigned', 'partially_available']],
]
const from = (...usages: string[]): Domain => ['location_id.usage', 'in', usages]
const to = (...usages: string[]): Domain => ['location_dest_id.usage', 'in', usages]
const RETURNED: Domain = ['origin_returned_move_id', '!=', false]
const NOT_RETURNED: Domain = ['origin_returned_move_id', '=', false]

/** Alternatives that there are only where a company has subcontractors. */
async function ofSubcontractors(
  system: System,
  signal: AbortSignal,
  domains: (from: Domain, to: Domain) => Domain[],
): Promise<Domain[]> {
  const { subcontractors: places } = await system.places(signal)
  if (!places.length) return []
  return domains(['location_id', 'in', places], ['location_dest_id', 'in', places])
}

async function moveQuery(system: System, domain: Domain, signal: AbortSignal): Promise<ModelQuery> {
  const found = await system.client.fieldsOf('stock.move', signal)
  // Until Odoo 16 `quantity_done` is what was moved, and `quantity` another thing.
  const other = found.has('quantity_done') ? 'quantity' : 'quantity_done'
  const fields = FIELDS.filter((field) => found.has(field) && field !== other)
  const company = ['company_id', '=', await system.company(signal)]
  return { model: 'stock.move', domain: [company, ...domain], fields }
}

const historyOf = (system: System, days: number): Domain => [
  ...['date', '>=', system.client.instant(Date.now() - days * DAY_MS)],
]

const placeOf = ({ id }: MoveRow) => `stock.move(${id})`

export async function* readOpenOrders(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'openOrders'>> {
  const others = await ofSubcontractors(system, signal, (from) => [[OF_PURCHASE, from]])
  const kinds = system.client.anyOf(
    [OF_PURCHASE, from('supplier')],
    [...UNDER_WAY, from('transit'), to('internal')],
    ...others,
  )
  const query = await moveQuery(system, [OPEN, kinds], signal)
  const found = readPages<MoveRow>(system.client, query, signal)
  yield* pagesOf<'openOrders', MoveRow>(found, async (page, rows) => {
    Object.assign(page, await composePurchases<'openOrders'>(system, rows, toOpenOrder, signal))
  })
}

async function composePurchases<K extends RecordKind>(
  system: System,
  rows: MoveRow[],
  map: (row: MoveRow, purchase: Purchase | undefined, lookup: Lookup) => RecordOf<K> | null,
  signal: AbortSignal,
): Promise<Batch<K>> {
  const purchases = await readPurchases(system, rows, signal)
  const partners = [...purchases.values()].map(({ order }) => order?.partner_id)
  const products = rows.map(({ product_id: product }) => product)
  const lookup = await lookUp(system, products, partners, signal)
  const purchaseOf = (row: MoveRow) => purchases.get(idOf(row.purchase_line_id) ?? 0)
  return batchOf<K, MoveRow>(rows, (row) => map(row, purchaseOf(row), lookup), placeOf)
}

/** Lead times are measured from the receipts of a year. */
const RECENT_DAYS = 400

export const receiptStream = (system: System) =>
  changedStream<'receipts', MoveRow>('receipts', {
    reader: system.client,
    async query(signal) {
      const others = await ofSubcontractors(system, signal, (from, to) => [[from], [to]])
      const ends = system.client.anyOf([from('supplier')], [to('supplier')], ...others)
      const domain = [DONE, OF_PURCHASE, historyOf(system, RECENT_DAYS), ends]
      return moveQuery(system, domain, signal)
    },
    changedSince: (since) => changedSince(system.client, MOVE_TIMES, since),
    compose: (rows, signal) => composePurchases<'receipts'>(system, rows, toReceipt, signal),
  })

/** Goods that went to customers, production, subcontractors or other warehouses, and those that came back from there. */
export const demandStream = (system: System) =>
  changedStream<'demand', MoveRow>(
    'demand',
    {
      reader: system.client,
      async query(signal) {
        // What was made elsewhere comes from there too, and is no return; one that goes back there is no component.
        const others = await ofSubcontractors(system, signal, (out, into) => [
          [from('internal'), into, NOT_RETURNED],
          [out, to('internal'), ['is_subcontract', '=', false], RETURNED],
        ])
        const kinds = system.client.anyOf(
          [from('internal'), to('customer', 'production')],
          [from('customer'), to('internal')],
          // What production makes comes from there too, and is no return.
          [from('production'), to('internal'), RETURNED],
          // What goes back from another warehouse is no demand of that one.
          ...(system.options.transfer_demand
            ? [
                [from('internal'), to('transit'), NOT_RETURNED],
                [from('transit'), to('internal'), RETURNED],
              ]
            : []),
          ...others,
        )
        const history = historyOf(system, system.options.history_days)
        return moveQuery(system, [DONE, history, kinds], signal)
      },
      changedSince: (since) => changedSince(system.client, MOVE_TIMES, since),
      async compose(rows, signal) {
        const products = rows.map(({ product_id: product }) => product)
        const lookup = await lookUp(system, products, [], signal)
        return batchOf<'demand', MoveRow>(rows, (row) => toDemand(row, lookup), placeOf)
      },
    },
    { isRequired: true },
  )

/**
 * Deliveries that are still to be made: moves and no order lines, since of a kit it is its components that go, and what
 * its supplier sends to the customer comes from no warehouse.
 */
export async function* readCustomerOrders(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'customerOrders'>> {
  const query = await moveQuery(system, [OPEN, from('internal'), to('customer')], signal)
  const found = readPages<MoveRow>(system.client, query, signal)
  yield* pagesOf<'customerOrders', MoveRow>(found, async (page, rows) => {
    const sales = await readSales(system, rows, signal)
    const products = rows.map(({ product_id: product }) => product)
    const lookup = await lookUp(system, products, [], signal)
    const map = (row: MoveRow) =>
      toCustomerOrder(row, sales.get(idOf(row.sale_line_id) ?? 0), lookup)
    addRecords(page, rows, map, placeOf)
  })
}
