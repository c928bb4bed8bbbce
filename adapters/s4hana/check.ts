import type { StreamCheck } from '../adapter.ts'
import { Fatal, Retriable } from '../errors.ts'
import type { RecordKind } from '../records.ts'
import { DELIVERIES } from './demand/deliveries.ts'
import { MATERIAL_DOCUMENTS } from './demand/goods-movements.ts'
import { PLANTS } from './locations.ts'
import { ITEMS } from './open-orders/items.ts'
import { purchaseOrderVersion } from './open-orders/open-orders.ts'
import { RECEIPTS } from './open-orders/receipts.ts'
import { SUPPLY_PLANNING } from './planning/planning.ts'
import { INFO_RECORDS } from './planning/sources.ts'
import { PRODUCTS } from './skus.ts'
import { STOCKS } from './stock.ts'
import { SUPPLIERS } from './suppliers.ts'
import type { System } from './system.ts'

type Probed = Parameters<System['probe']>[0]

/** Asks for one row of everything that each stream needs. */
export async function checkStreams(system: System, signal: AbortSignal): Promise<StreamCheck[]> {
  const orders = async () =>
    (await purchaseOrderVersion(system, signal)) === 'v4' ? [ITEMS.v4] : [ITEMS.v2, RECEIPTS]
  const documents = system.options.demand === 'deliveries' ? DELIVERIES : MATERIAL_DOCUMENTS
  const needs: [RecordKind, () => Promise<Probed[]> | Probed[]][] = [
    ['locations', () => [PLANTS]],
    ['suppliers', () => [SUPPLIERS]],
    ['skus', () => [PRODUCTS]],
    ['planning', () => [SUPPLY_PLANNING, INFO_RECORDS]],
    ['stock', () => [STOCKS]],
    ['openOrders', orders],
    ['demand', () => [documents]],
  ]
  const checks = needs.map(async ([record, setsOf]): Promise<StreamCheck> => {
    try {
      for (const set of await setsOf()) await system.probe(set, signal)
      return { record, status: 'ok', message: null }
    } catch (error) {
      return { record, ...outcomeOf(error) }
    }
  })
  return Promise.all(checks)
}

function outcomeOf(error: unknown): Omit<StreamCheck, 'record'> {
  if (!(error instanceof Fatal) && !(error instanceof Retriable)) throw error
  const code = error instanceof Fatal ? error.code : null
  const status = code === 'forbidden' ? 'forbidden' : code === 'not_found' ? 'absent' : 'failed'
  return { status, message: error.message }
}
