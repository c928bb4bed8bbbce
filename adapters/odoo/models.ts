import type { CallList } from '../rpc/calls.ts'

const READS = ['search_read', 'search_count', 'fields_get']

/** All that is ever called; of the service `common` only `version` and `authenticate` besides. */
export const CALLS: CallList = Object.fromEntries(
  [
    ...['product.product', 'product.supplierinfo', 'purchase.order', 'purchase.order.line'],
    ...[
      'res.company',
      'res.partner',
      'sale.order',
      'sale.order.line',
      'stock.location',
      'stock.move',
    ],
    ...['stock.quant', 'stock.warehouse', 'stock.warehouse.orderpoint', 'uom.uom'],
  ].map((model) => [model, READS]),
)

export const JSON2_PATHS = Object.entries(CALLS).flatMap(([model, methods]) =>
  methods.map((method) => `/json/2/${model}/${method}`),
)

export const JSONRPC_PATH = '/jsonrpc'
