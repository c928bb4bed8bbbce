import type { StreamCheck } from '../adapter.ts'
import { checkOfLists, failedCheck } from '../check.ts'
import { isRefused } from '../errors.ts'
import type { KeysetQuery } from '../odata/keyset.ts'
import type { RecordKind } from '../records.ts'
import { kindsOf } from './demand.ts'
import { DRAFT_QUERIES } from './drafts.ts'
import { itemQuery, SUPPLIERS, WAREHOUSES } from './masters.ts'
import { openDocuments } from './open-documents.ts'
import { planningQuery } from './planning.ts'
import { receiptQuery } from './receipts.ts'
import { STOCKS } from './stock.ts'
import { documents, type System } from './system.ts'

/** What each stream reads: all of it is needed, of drafts one list. */
function queriesOf(system: System): Partial<Record<RecordKind, KeysetQuery[]>> {
  return {
    locations: [WAREHOUSES],
    suppliers: [SUPPLIERS],
    skus: [itemQuery(system, null)],
    planning: [planningQuery(null)],
    stock: [STOCKS, WAREHOUSES],
    drafts: DRAFT_QUERIES,
    openOrders: [openDocuments('PurchaseOrders')],
    customerOrders: [openDocuments('Orders')],
    receipts: [receiptQuery(null), openDocuments('PurchaseOrders')],
    demand: kindsOf(system.options).map(({ set }) => documents(set, ['DocDate'], null)),
  }
}

const rightOf = ({ set }: KeysetQuery) => `Read only: ${set}`

export const neededRightsOf = (system: System): string[] => [
  ...new Set(Object.values(queriesOf(system)).flatMap((queries) => queries.map(rightOf))),
]

/** Requests one row of each set, in one session. */
export async function checkStreams(system: System, signal: AbortSignal): Promise<StreamCheck[]> {
  const checkOne = async (
    record: string,
    queries: KeysetQuery[],
    isOptional = false,
  ): Promise<StreamCheck> => {
    const about = { record: record as RecordKind, rights: queries.map(rightOf) }
    try {
      for (const query of queries) await system.first(query, signal)
      return { ...about, status: 'ok', message: null }
    } catch (error) {
      const failed = failedCheck(error)
      // Versions that have not the list, or not all of its fields, refuse the question.
      return { ...about, ...failed, ...(isOptional && isRefused(error) && { status: 'absent' }) }
    }
  }
  const checkDrafts = async (queries: KeysetQuery[]) =>
    checkOfLists(await Promise.all(queries.map((query) => checkOne('drafts', [query], true))))
  system.session.begin()
  try {
    const all = Object.entries(queriesOf(system))
    return await Promise.all(
      all.map(([record, queries]) =>
        record === 'drafts' ? checkDrafts(queries) : checkOne(record, queries),
      ),
    )
  } finally {
    await system.session.close()
  }
}
