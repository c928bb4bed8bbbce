import type { CallList } from '../rpc/calls.ts'

const READS = ['search_read', 'search_count']

/** All that is ever called. */
export const CALLS: CallList = {
  'company.company': READS,
  'product.product': READS,
  'product.uom': READS,
  'purchase.line': READS,
  'purchase.product_supplier': READS,
  'purchase.product_supplier.price': READS,
  'res.user': ['get_preferences'],
  'sale.line': READS,
  'stock.location': READS,
  'stock.move': READS,
  'stock.order_point': READS,
}
