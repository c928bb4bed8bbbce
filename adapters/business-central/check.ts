import type { StreamCheck } from '../adapter.ts'
import { failedCheck } from '../check.ts'
import { type Fatal, isNotThere } from '../errors.ts'
import type { KeysetQuery } from '../odata/keyset.ts'
import type { RecordKind } from '../records.ts'
import { lotQuery } from './batches.ts'
import { LEDGER_FIELDS } from './demand.ts'
import { ledgerQuery } from './ledger.ts'
import { itemQuery, vendorQuery } from './masters.ts'
import { PROMISED, WITHOUT_PROMISES } from './open-orders.ts'
import type { BusinessCentralOptions } from './options.ts'
import { cardQuery } from './planning.ts'
import type { System } from './system.ts'

type Query = () => Promise<KeysetQuery>

interface Lists {
  /** All of which a stream needs. */
  all?: Query[]
  /** One of which is enough. */
  some?: Query[]
  /** Without which it says less, and what that is. */
  more?: Query[]
  without?: string
}

/** Requests one row of what each stream reads. */
export function checkStreams(system: System, signal: AbortSignal): Promise<StreamCheck[]> {
  const analytics = async (set: string, key: string): Promise<KeysetQuery> => {
    const { analytics: service } = await system.services(signal)
    return { service, set, key, keyType: 'text', select: [key] }
  }
  const published = (set: string | undefined, asked: Pick<KeysetQuery, 'select' | 'filter'>) => {
    if (!set) return []
    const query: Query = async () => {
      const { published: service } = await system.services(signal)
      return { service, set, key: asked.select[0]!, keyType: 'text', ...asked }
    }
    return [query]
  }
  const unreadOf = async (queries: Query[]): Promise<Fatal[]> => {
    const unread: Fatal[] = []
    for (const query of queries)
      try {
        await system.first(await query(), signal)
      } catch (error) {
        if (!isNotThere(error)) throw error
        unread.push(error)
      }
    return unread
  }
  const checkLists = async (
    record: RecordKind,
    { all = [], some = [], more = [], without = '' }: Lists,
  ): Promise<StreamCheck> => {
    const rights = rightsOf(record)
    try {
      for (const query of all) await system.first(await query(), signal)
      const unread = await unreadOf(some)
      if (unread.length && unread.length === some.length) throw unread[0]!
      const less = (await unreadOf(more)).map(({ message }) => `${message} ${without}`)
      const notes = [...unread.map(({ message }) => message), ...less]
      return { record, status: 'ok', message: null, rights, ...(notes.length && { notes }) }
    } catch (error) {
      return { record, ...failedCheck(error), rights }
    }
  }
  const checkOne = (record: RecordKind, ...all: Query[]) => checkLists(record, { all })
  const { order_lines_service: called, purchase_line_service: promised } = system.options
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
    checkLists('drafts', {
      some: [
        () => analytics('requisitionLines', 'itemNo'),
        () => analytics('purchaseLines', 'documentNo'),
      ],
      more: published(called, { select: ['Document_No', 'Blanket_Order_No'] }),
      without: 'Blanket orders are not read without it.',
    }),
    checkLists('openOrders', {
      all: [() => analytics('outstandingPurchaseLines', 'documentNo'), transfers],
      more: published(promised, PROMISED),
      without: WITHOUT_PROMISES,
    }),
    checkOne('customerOrders', () => analytics('outstandingSalesLines', 'documentNo')),
    checkOne('demand', ledger),
  ])
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
