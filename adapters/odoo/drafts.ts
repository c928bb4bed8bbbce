// Requests for quotation: purchase orders that nobody has confirmed, of which Odoo has no moves yet. And blanket orders.
import { hasKind, readLists } from '../rows/lists.ts'
import { addRecords, type Known, pagesOf, type SnapshotPage } from '../rows/pages.ts'
import { codeOf, codeOrNull, mapAbout, numberOf } from '../rows/values.ts'
import type { RecordOf } from '../records.ts'
import { readPages } from '../rpc/reader.ts'
import { readContracts } from './contracts.ts'
import type { Link, PickingTypeRow, RequestLineRow, RequestRow } from './entities.ts'
import { lookUp, type Lookup, readLinked } from './movements.ts'
import type { System } from './system.ts'
import { idOf, quantityOf, textOf } from './values.ts'

/** `to approve`: confirmed by a buyer whose manager has not agreed yet. */
const STATES = ['draft', 'sent', 'to approve']

/** Requests and blanket orders. @throws Fatal where neither may be read, or what was read before of one is refused */
export const readDrafts = (system: System, signal: AbortSignal, known: Known) =>
  readLists<'drafts'>(
    [
      { isAmong: hasKind('rfq'), read: () => readRequests(system, signal) },
      { isAmong: hasKind('contract'), read: () => readContracts(system, signal) },
    ],
    known,
  )

async function* readRequests(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'drafts'>> {
  const found = await system.client.fieldsOf('purchase.order.line', signal)
  // `product_uom` until Odoo 18.
  const unit = found.has('product_uom_id') ? 'product_uom_id' : 'product_uom'
  const query = {
    model: 'purchase.order.line',
    domain: [
      ['state', 'in', STATES],
      ['company_id', '=', await system.company(signal)],
      ['product_id', '!=', false],
    ],
    fields: ['order_id', 'product_id', 'product_qty', 'date_planned', unit],
  }
  const pages = readPages<RequestLineRow>(system.client, query, signal)
  yield* pagesOf<'drafts', RequestLineRow>(pages, async (page, rows) => {
    const linked = <Row extends { id: number }>(
      model: string,
      fields: string[],
      links: (Link | undefined)[],
    ) => readLinked<Row>(system, model, fields, links, signal)
    const fields = ['name', 'origin', 'partner_id', 'create_date', 'picking_type_id']
    const orders = await linked<RequestRow>(
      'purchase.order',
      fields,
      rows.map(({ order_id: order }) => order),
    )
    const types = await linked<PickingTypeRow>(
      'stock.picking.type',
      ['warehouse_id'],
      [...orders.values()].map(({ picking_type_id: type }) => type),
    )
    const products = rows.map(({ product_id: product }) => product)
    const partners = [...orders.values()].map(({ partner_id: partner }) => partner)
    const lookup = await lookUp(system, products, partners, signal)
    const map = (row: RequestLineRow) => {
      const order = orders.get(idOf(row.order_id) ?? 0)
      const type = types.get(idOf(order?.picking_type_id ?? false) ?? 0)
      return toDraft(row, order, type, lookup)
    }
    addRecords(page, rows, map, ({ id }) => `purchase.order.line(${id})`)
  })
}

/** Null where it goes to no warehouse, as what a supplier sends to a customer. */
function toDraft(
  row: RequestLineRow,
  order: RequestRow | undefined,
  type: PickingTypeRow | undefined,
  { places, product: productOf, partner, units, dayOf }: Lookup,
): RecordOf<'drafts'> | null {
  const location = places.codes.get(idOf(type?.warehouse_id ?? false) ?? 0) ?? null
  const product = productOf(row.product_id)
  if (location === null || product.sku === null) return null
  return mapAbout(product.sku, location, () => {
    const wanted = quantityOf(row.product_qty, 'product_qty')
    const unit = idOf(row.product_uom_id ?? row.product_uom ?? false)
    const quantity = units.convert(wanted, unit, product.uom, 'product_uom')
    if (quantity <= 0n) return null
    return {
      document: codeOf(textOf(order?.name), 'order_id'),
      line: String(row.id),
      kind: 'rfq',
      sku: codeOf(product.sku, 'product_id'),
      location,
      quantity: numberOf(quantity, 'product_qty'),
      due: dayOf(row.date_planned, 'date_planned'),
      createdOn: dayOf(order?.create_date, 'create_date'),
      supplier: codeOrNull(partner(order?.partner_id), 'partner_id'),
      reference: codeOrNull(textOf(order?.origin), 'origin'),
    }
  })
}
