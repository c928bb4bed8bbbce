import type { Adapter, Stream } from '../adapter.ts'
import { addressOf } from '../http/address.ts'
import { snapshotStream } from '../rows/pages.ts'
import { checkModels, type Models, rightsOf } from '../rpc/check.ts'
import { readStock } from '../rpc/stock.ts'
import { readDrafts } from './drafts.ts'
import { readLocations, skuStream, supplierStream } from './masters.ts'
import {
  demandStream,
  readCustomerOrders,
  readOpenOrders,
  readReservations,
  receiptStream,
} from './moves.ts'
import { trytonOptions } from './options.ts'
import { TRYTON_FORM } from './order-form.ts'
import { pairLists } from './pairs.ts'
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
    async check(connection, signal) {
      const system = new System(connection)
      // Whatever is wrong with the database or the company is wrong with all streams.
      await system.company(signal)
      return checkModels(system.client, streamsOf(system), MODELS, signal, KITS)
    },
  }
}

const WAREHOUSES = ['company.company', 'stock.location']
const PRODUCTS = ['product.product', 'product.template', 'product.uom']
const SUPPLIERS = ['purchase.product_supplier', 'party.party']
const PRICES = 'purchase.product_supplier.price'
const PURCHASES = ['stock.move', 'purchase.line', 'purchase.purchase', 'party.party']

/** The models that each kind of record needs. */
const MODELS: Models = {
  locations: WAREHOUSES,
  suppliers: SUPPLIERS,
  skus: [...PRODUCTS, 'company.company'],
  planning: [...PRODUCTS, ...SUPPLIERS, PRICES, 'stock.order_point', 'stock.move'],
  priceBreaks: [...PRODUCTS, ...SUPPLIERS, PRICES],
  stock: [...PRODUCTS, ...WAREHOUSES, 'stock.move', 'stock.order_point'],
  openOrders: PURCHASES,
  drafts: ['purchase.line', 'purchase.purchase', 'party.party', ...PRODUCTS],
  customerOrders: ['stock.move', 'sale.line', 'sale.sale'],
  reservations: ['stock.move'],
  receipts: PURCHASES,
  demand: ['stock.move', ...WAREHOUSES],
}

/** Needed where kits are sold or bought, and where purchases are requested. */
const KITS: Models = {
  drafts: ['purchase.request'],
  openOrders: ['purchase.line.component', 'sale.line.component'],
  customerOrders: ['sale.line.component'],
  receipts: ['purchase.line.component'],
}

const streamsOf = (system: System): Stream[] => [
  snapshotStream('locations', (signal) => readLocations(system, signal)),
  supplierStream(system),
  skuStream(system),
  planningStream(system),
  priceBreakStream(system),
  snapshotStream('stock', async function* (signal, known) {
    yield* readStock(system, await pairLists(system, signal), signal, known)
  }),
  snapshotStream('drafts', (signal) => readDrafts(system, signal), { isOptional: true }),
  snapshotStream('openOrders', (signal) => readOpenOrders(system, signal)),
  snapshotStream('customerOrders', (signal) => readCustomerOrders(system, signal), {
    isOptional: true,
  }),
  snapshotStream('reservations', (signal) => readReservations(system, signal)),
  receiptStream(system),
  demandStream(system),
]
