import type { Adapter, Stream } from '../adapter.ts'
import { addressOf } from '../http/address.ts'
import { snapshotStream } from '../rows/pages.ts'
import { checkModels, type Models, rightsOf } from '../rpc/check.ts'
import { readStock } from '../rpc/stock.ts'
import { readBatches } from './batches.ts'
import { readDrafts } from './drafts.ts'
import { readLocations, skuStream, supplierStream } from './masters.ts'
import { demandStream, readCustomerOrders, readOpenOrders, receiptStream } from './moves.ts'
import { odooOptions } from './options.ts'
import { ODOO_FORM } from './order-form.ts'
import { pairLists } from './pairs.ts'
import { planningStream, priceBreakStream } from './planning.ts'
import { System } from './system.ts'

/** Reads Odoo by JSON-2, and by JSON-RPC before Odoo 19: README.md. */
export function odooAdapter(): Adapter {
  return {
    type: 'odoo',
    auth(connection) {
      addressOf(connection)
      return { kind: 'basic' }
    },
    catalog: 'complete',
    options: odooOptions,
    orderForm: ODOO_FORM,
    fields: {
      role: 'optional',
      baseUrl: 'optional',
      clientId: 'required',
      clientSecret: 'required',
      options: ['database', 'company', 'time_zone'],
    },
    neededRights: () => rightsOf(MODELS, 'res.company', ...OF_MODULES.drafts),
    streams: (connection) => streamsOf(new System(connection)),
    async check(connection, signal) {
      const system = new System(connection)
      // Whatever is wrong with the database or the company is wrong with all streams.
      await system.company(signal)
      return checkModels(system.client, streamsOf(system), MODELS, signal, OF_MODULES)
    },
  }
}

/** The models that each kind of record needs. */
const MODELS: Models = {
  locations: ['stock.warehouse', 'stock.location'],
  suppliers: ['product.supplierinfo', 'res.partner'],
  skus: ['product.product', 'uom.uom'],
  planning: ['product.supplierinfo', 'stock.warehouse.orderpoint', 'stock.move'],
  priceBreaks: ['product.supplierinfo'],
  stock: ['stock.quant', 'stock.move', 'product.product'],
  batches: ['stock.quant', 'stock.lot'],
  openOrders: ['stock.move', 'purchase.order.line', 'purchase.order'],
  drafts: ['purchase.order.line', 'purchase.order', 'stock.picking.type'],
  customerOrders: ['stock.move', 'sale.order.line', 'sale.order'],
  receipts: ['stock.move', 'purchase.order.line', 'purchase.order'],
  demand: ['stock.move'],
}

/** Those of them that are there with a module alone. */
const OF_MODULES = { drafts: ['purchase.requisition', 'purchase.requisition.line'] }

const streamsOf = (system: System): Stream[] => [
  snapshotStream('locations', (signal) => readLocations(system, signal)),
  supplierStream(system),
  skuStream(system),
  planningStream(system),
  priceBreakStream(system),
  snapshotStream('stock', async function* (signal, known) {
    yield* readStock(system, await pairLists(system, signal), signal, known)
  }),
  snapshotStream('batches', (signal) => readBatches(system, signal), { isOptional: true }),
  snapshotStream('drafts', (signal, known) => readDrafts(system, signal, known), {
    isOptional: true,
  }),
  snapshotStream('openOrders', (signal) => readOpenOrders(system, signal)),
  snapshotStream('customerOrders', (signal) => readCustomerOrders(system, signal), {
    isOptional: true,
  }),
  receiptStream(system),
  demandStream(system),
]
