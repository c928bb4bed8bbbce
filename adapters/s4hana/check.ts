import type { StreamCheck } from '../adapter.ts'
import { checkOfLists, failedCheck } from '../check.ts'
import type { EntitySet } from '../odata/reader.ts'
import type { RecordKind } from '../records.ts'
import { reads, readsReceipts, rightOf } from './auth.ts'
import { DELIVERIES } from './demand/deliveries.ts'
import { MATERIAL_DOCUMENTS } from './demand/material-documents.ts'
import { draftLists } from './drafts/stream.ts'
import { PLANTS, SUPPLIERS } from './masters.ts'
import { CONFIRMATIONS, findConfirmations } from './orders/confirmations.ts'
import { ITEMS } from './orders/lines.ts'
import { purchaseOrderVersion } from './orders/open-orders.ts'
import { RECEIPTS } from './orders/receipts.ts'
import { INFO_RECORDS } from './planning/info-records.ts'
import { SUPPLY_PLANNING } from './planning/scope.ts'
import { REQUIREMENT_ITEMS } from './planned-requirements.ts'
import { RESERVATIONS } from './reservations.ts'
import { SALES_ITEMS } from './orders/customer-orders.ts'
import type { Service } from './services.ts'
import { PRODUCTS } from './skus.ts'
import { BATCHES } from './stock/batches.ts'
import { STOCKS } from './stock/rows.ts'
import type { System } from './system.ts'

type ServiceSet = EntitySet & { service: Service }

/** Whether a stream can be read, and the rights that it needs. */
type Outcome = Omit<StreamCheck, 'record'>

/** Requests one row of each entity set that each stream needs. */
export async function checkStreams(system: System, signal: AbortSignal): Promise<StreamCheck[]> {
  const documents = system.options.demand === 'deliveries' ? DELIVERIES : MATERIAL_DOCUMENTS
  const drafts = draftLists(system.options)
  const checkOne = async (
    record: RecordKind,
    setsOf: () => Promise<ServiceSet[]> | ServiceSet[],
  ) => ({
    record,
    ...(await checkSets(system, setsOf, signal)),
  })
  return Promise.all([
    checkOne('locations', () => [PLANTS]),
    checkOne('suppliers', () => [SUPPLIERS]),
    checkOne('skus', () => [PRODUCTS]),
    checkOne('planning', () => [SUPPLY_PLANNING, INFO_RECORDS]),
    checkOne('stock', () => [STOCKS]),
    ...(reads('batches', system.options) ? [checkOne('batches', () => [BATCHES])] : []),
    ...(drafts.length
      ? [Promise.all(drafts.map(({ set }) => checkOne('drafts', () => [set]))).then(checkOfLists)]
      : []),
    checkOne('openOrders', () => orderSets(system, signal)).then((check) =>
      withConfirmations(system, check, signal),
    ),
    ...(system.options.sales_orders ? [checkOne('customerOrders', () => [SALES_ITEMS])] : []),
    ...(reads('reservations', system.options)
      ? [checkOne('reservations', () => [RESERVATIONS])]
      : []),
    ...(reads('planned_requirements', system.options)
      ? [checkOne('erpForecasts', () => [REQUIREMENT_ITEMS])]
      : []),
    ...(readsReceipts(system.options)
      ? [checkOne('receipts', () => receiptSets(system, signal))]
      : []),
    checkOne('demand', () => [documents]),
  ])
}

/** Orders are read without confirmations where those may not be. */
async function withConfirmations(
  system: System,
  check: StreamCheck,
  signal: AbortSignal,
): Promise<StreamCheck> {
  if (check.status !== 'ok' || !reads('confirmations', system.options)) return check
  try {
    const { notes, next } = await findConfirmations(system, null, signal)
    const right = rightOf(CONFIRMATIONS.service, system.options)
    return { ...check, notes, rights: [...check.rights!, ...(next === null ? [] : [right])] }
  } catch (error) {
    return { ...check, ...failedCheck(error) }
  }
}

async function orderSets(system: System, signal: AbortSignal): Promise<ServiceSet[]> {
  const version = await purchaseOrderVersion(system, signal)
  return version === 'v4' ? [ITEMS.v4] : [ITEMS.v2, RECEIPTS]
}

async function receiptSets(system: System, signal: AbortSignal): Promise<ServiceSet[]> {
  const version = await purchaseOrderVersion(system, signal)
  return [MATERIAL_DOCUMENTS, ITEMS[version]]
}

/** On success the rights of all sets; on failure only the right of the set that failed. */
async function checkSets(
  system: System,
  setsOf: () => Promise<ServiceSet[]> | ServiceSet[],
  signal: AbortSignal,
): Promise<Outcome> {
  let rights: string[] = []
  try {
    const read = new Set<string>()
    for (const set of await setsOf()) {
      rights = [rightOf(set.service, system.options)]
      await system.probe(set, signal)
      read.add(rights[0]!)
    }
    return { status: 'ok', message: null, rights: [...read] }
  } catch (error) {
    return { ...failedCheck(error), rights }
  }
}
