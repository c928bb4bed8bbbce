import type { Adapter, Stream } from '../adapter.ts'
import { addressOf } from '../http/address.ts'
import { snapshotStream } from '../rows/pages.ts'
import { checkModels, type Models, rightsOf } from '../rpc/check.ts'
import { readLocations, skuStream, supplierStream } from './masters.ts'
import { demandStream, readCustomerOrders, readOpenOrders, receiptStream } from './moves.ts'
import { trytonOptions } from './options.ts'
import { TRYTON_FORM } from './order-form.ts'
import { readTrytonStock } from './pairs.ts'
import { planningStream } from './planning.ts'
import { priceBreakStream } from './price-breaks.ts'
import { pathOf, System } from './system.ts'

/** Reads Tryton by JSON-RPC: README.md. */
export function trytonAdapter(): Adapter {
  return {
    type: 'tryton',
    auth(connection) {
      pathOf(addressOf(connection), trytonOptions.parse(connection.options).database)
      return { kind: 'basic' }
    },
    catalog: 'complete',
    options: trytonOptions,
    orderForm: TRYTON_FORM,
    fields: {
      role: 'optional',
      baseUrl: 'optional',
      clientId: 'required',
      clientSecret: 'required',
      options: ['database', 'company'],
    },
    neededRights: () => rightsOf(MODELS),
    streams: (connection) => streamsOf(new System(connection)),
    check(connection, signal) {
      const system = new System(connection)
      return checkModels(system.client, streamsOf(system), MODELS, signal)
    },
  }
}

/** The models that each kind of record needs. */
const MODELS: Models = {
  locations: ['stock.location'],
  suppliers: ['purchase.product_supplier'],
  skus: ['product.product'],
  planning: [
    ...['purchase.product_supplier', 'purchase.product_supplier.price', 'stock.order_point'],
    'stock.move',
  ],
  priceBreaks: ['purchase.product_supplier', 'purchase.product_supplier.price'],
  stock: ['product.product', 'stock.move', 'stock.order_point'],
  openOrders: ['stock.move', 'purchase.line'],
  customerOrders: ['stock.move', 'sale.line'],
  receipts: ['stock.move', 'purchase.line'],
  demand: ['stock.move'],
}

const streamsOf = (system: System): Stream[] => [
  snapshotStream('locations', (signal) => readLocations(system, signal)),
  supplierStream(system),
  skuStream(system),
  planningStream(system),
  priceBreakStream(system),
  snapshotStream('stock', (signal, known) => readTrytonStock(system, signal, known)),
  snapshotStream('openOrders', (signal) => readOpenOrders(system, signal)),
  snapshotStream('customerOrders', (signal) => readCustomerOrders(system, signal), {
    isOptional: true,
  }),
  receiptStream(system),
  demandStream(system),
]
