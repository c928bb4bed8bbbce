import type { StreamCheck } from '../adapter.ts'
import { failedCheck } from '../check.ts'
import type { RecordKind } from '../records.ts'
import { streamsOf } from './masters.ts'
import type { System } from './system.ts'

/** The models that each kind of record needs. */
const MODELS: Partial<Record<RecordKind, string[]>> = {
  locations: ['stock.warehouse', 'stock.location'],
  suppliers: ['product.supplierinfo', 'res.partner'],
  skus: ['product.product', 'uom.uom'],
  planning: ['product.supplierinfo', 'stock.warehouse.orderpoint', 'stock.move'],
  priceBreaks: ['product.supplierinfo'],
  stock: ['stock.quant', 'stock.move', 'product.product'],
  openOrders: ['stock.move', 'purchase.order.line', 'purchase.order'],
  customerOrders: ['sale.order.line', 'sale.order'],
  receipts: ['stock.move', 'purchase.order.line', 'purchase.order'],
  demand: ['stock.move'],
}

const rightOf = (model: string) => `Read ${model}`

export const RIGHTS = [...new Set(['res.company', ...Object.values(MODELS).flat()].map(rightOf))]

/** Asks for one record of each model that a stream needs. */
export async function checkStreams(system: System, signal: AbortSignal): Promise<StreamCheck[]> {
  const checks: StreamCheck[] = []
  for (const { record } of streamsOf(system)) {
    const models = MODELS[record] ?? []
    let rights = models.map(rightOf)
    try {
      for (const model of models) {
        rights = [rightOf(model)]
        await system.client.search({ model, domain: [], fields: ['id'] }, 1, signal)
      }
      checks.push({ record, status: 'ok', message: null, rights: models.map(rightOf) })
    } catch (error) {
      checks.push({ record, ...failedCheck(error), rights })
    }
  }
  return checks
}
