import type { StreamCheck } from '../adapter.ts'
import { failedCheck } from '../check.ts'
import type { RecordKind } from '../records.ts'
import { streamsOf } from './masters.ts'
import type { System } from './system.ts'

/** The models that each kind of record needs. */
const MODELS: Partial<Record<RecordKind, string[]>> = {
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

export const RIGHTS = [...new Set(Object.values(MODELS).flat())].map(rightOf)

function rightOf(model: string): string {
  return `Read ${model}`
}

/** Asks for one record of each model that a stream needs. */
export async function checkStreams(system: System, signal: AbortSignal): Promise<StreamCheck[]> {
  const checks: StreamCheck[] = []
  for (const { record } of streamsOf(system)) {
    let rights = (MODELS[record] ?? []).map(rightOf)
    try {
      for (const model of MODELS[record] ?? []) {
        rights = [rightOf(model)]
        await system.client.search({ model, domain: [], fields: ['id'] }, 1, signal)
      }
      rights = (MODELS[record] ?? []).map(rightOf)
      checks.push({ record, status: 'ok', message: null, rights })
    } catch (error) {
      checks.push({ record, ...failedCheck(error), rights })
    }
  }
  return checks
}
