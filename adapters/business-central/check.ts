import type { StreamCheck } from '../adapter.ts'
import { failedCheck } from '../check.ts'
import type { KeysetQuery } from '../odata/keyset.ts'
import type { RecordKind } from '../records.ts'
import { lotQuery } from './batches.ts'
import { LEDGER_FIELDS } from './demand.ts'
import { ledgerQuery } from './ledger.ts'
import { itemQuery, vendorQuery } from './masters.ts'
import { readPurchases } from './open-orders.ts'
import type { BusinessCentralOptions } from './options.ts'
import { cardQuery } from './planning.ts'
import type { System } from './system.ts'

/** Requests one row of what each stream needs. */
export function checkStreams(system: System, signal: AbortSignal): Promise<StreamCheck[]> {
  const analytics = async (set: string, key: string): Promise<KeysetQuery> => {
    const { analytics: service } = await system.services(signal)
    return { service, set, key, keyType: 'text', select: [key] }
  }
  const { order_lines_service: service } = system.options
  const published = async (set: string): Promise<KeysetQuery> => {
    const { published: itself } = await system.services(signal)
    const select = ['Document_No', 'Blanket_Order_No']
    return { service: itself, set, key: 'Document_No', keyType: 'text', select }
  }
  const checkOne = async (
    record: RecordKind,
    ...queries: (() => Promise<KeysetQuery>)[]
  ): Promise<StreamCheck> => {
    const rights = rightsOf(record)
    try {
      for (const query of queries) await system.first(await query(), signal)
      return { record, status: 'ok', message: null, rights }
    } catch (error) {
      return { record, ...failedCheck(error), rights }
    }
  }
  const ledger = () => ledgerQuery(system, LEDGER_FIELDS, null, signal)
  const transfers = () => analytics('transferLines', 'documentNo')
  const locations = async (): Promise<KeysetQuery> => {
    const { standard: service } = await system.services(signal)
    return { service, set: 'locations', key: 'code', keyType: 'text', select: ['code'] }
  }
  return Promise.all([
    checkOne('locations', locations),
    checkOne('suppliers', () => vendorQuery(system, null, signal)),
    checkOne('skus', () => itemQuery(system, null, signal)),
    ...(system.options.planning_service
      ? [checkOne('planning', () => cardQuery(system, signal))]
      : []),
    checkOne('stock', ledger, transfers),
    checkOne('batches', () => lotQuery(system, signal)),
    checkOne(
      'drafts',
      () => analytics('requisitionLines', 'itemNo'),
      () => analytics('purchaseLines', 'documentNo'),
      ...(service ? [() => published(service)] : []),
    ),
    checkOne(
      'openOrders',
      () => analytics('outstandingPurchaseLines', 'documentNo'),
      transfers,
    ).then(async (check) => ({ ...check, ...(await promiseNotes(system, signal)) })),
    checkOne('customerOrders', () => analytics('outstandingSalesLines', 'documentNo')),
    checkOne('demand', ledger),
  ])
}

/** Orders are read without what suppliers promise where the page of it may not be. */
async function promiseNotes(system: System, signal: AbortSignal): Promise<Partial<StreamCheck>> {
  if (!system.options.purchase_line_service) return {}
  const { notes } = await readPurchases(system, signal, { $top: '1' })
  return notes ? { notes } : {}
}

// What a permission set must let the user read, by the names of the tables in Business Central.

const TABLES: Partial<Record<RecordKind, string[]>> = {
  locations: ['Location'],
  suppliers: ['Vendor'],
  skus: ['Item', 'Item Category', 'Unit of Measure'],
  planning: ['Item', 'Stockkeeping Unit'],
  stock: ['Item Ledger Entry', 'Transfer Line'],
  batches: ['Item Ledger Entry'],
  drafts: ['Requisition Line', 'Purchase Header', 'Purchase Line'],
  openOrders: ['Purchase Line', 'Transfer Line'],
  customerOrders: ['Sales Line'],
  demand: ['Item Ledger Entry'],
}

const rightsOf = (record: RecordKind): string[] =>
  (TABLES[record] ?? []).map((table) => `Read: ${table}`)

export const neededRightsOf = ({
  planning_service: planning,
}: BusinessCentralOptions): string[] => [
  ...new Set(
    (Object.keys(TABLES) as RecordKind[])
      .filter((record) => record !== 'planning' || planning)
      .flatMap(rightsOf),
  ),
]
