import type { StreamCheck } from '../adapter.ts'
import { checkOfLists, failedCheck } from '../check.ts'
import { isNotThere, isRefused } from '../errors.ts'
import type { KeysetQuery } from '../odata/keyset.ts'
import type { RecordKind } from '../records.ts'
import { tryBatches } from './batches.ts'
import { kindsOf } from './demand.ts'
import { DRAFT_QUERIES } from './drafts.ts'
import { itemQuery, SUPPLIERS } from './masters.ts'
import { openDocuments, reserveInvoices } from './open-documents.ts'
import { planningQuery } from './planning.ts'
import { BESIDE_RECEIPTS, receiptQuery } from './receipts.ts'
import { STOCKS } from './stock.ts'
import { documents, type System } from './system.ts'
import { WAREHOUSES } from './warehouses.ts'

/** Something that is read, and the right that it takes. */
interface Probe {
  right: string
  tryIt(signal: AbortSignal): Promise<unknown>
  /** Whether the stream is read without it too. */
  isBeside?: boolean
}

/** What each stream reads: all of it is needed, of drafts one list. */
function probesOf(system: System): Partial<Record<RecordKind, Probe[]>> {
  const { options } = system
  const of = (...queries: KeysetQuery[]): Probe[] =>
    queries.map((query) => ({
      right: `Read only: ${query.set}`,
      tryIt: (signal) => system.first(query, signal),
    }))
  const beside = (...queries: KeysetQuery[]): Probe[] =>
    of(...queries).map((probe) => ({ ...probe, isBeside: true }))
  const { batches_query: code } = options
  const stored = code && {
    right: `Full authorization: Service Layer SQL Query ${code}`,
    tryIt: (signal: AbortSignal) => tryBatches(system, code, signal),
  }
  return {
    locations: of(WAREHOUSES),
    suppliers: of(SUPPLIERS),
    skus: of(itemQuery(system, null)),
    planning: of(planningQuery(null)),
    stock: of(STOCKS, WAREHOUSES),
    ...(stored && { batches: [stored, ...of(WAREHOUSES)] }),
    drafts: of(...DRAFT_QUERIES),
    openOrders: [
      ...of(openDocuments('PurchaseOrders')),
      ...beside(reserveInvoices('PurchaseInvoices')),
    ],
    customerOrders: [...of(openDocuments('Orders')), ...beside(reserveInvoices('Invoices'))],
    receipts: [
      ...of(receiptQuery('PurchaseDeliveryNotes', null), openDocuments('PurchaseOrders')),
      ...beside(...BESIDE_RECEIPTS.map((set) => receiptQuery(set, null))),
    ],
    demand: of(...kindsOf(options).map(({ set }) => documents(set, ['DocDate'], null))),
  }
}

export const neededRightsOf = (system: System): string[] => [
  ...new Set(Object.values(probesOf(system)).flatMap((probes) => probes.map(({ right }) => right))),
]

/** Requests one row of each set, in one session. */
export async function checkStreams(system: System, signal: AbortSignal): Promise<StreamCheck[]> {
  const checkOne = async (
    record: string,
    probes: Probe[],
    isOptional = false,
  ): Promise<StreamCheck> => {
    const about = { record: record as RecordKind, rights: probes.map(({ right }) => right) }
    const notes: string[] = []
    try {
      for (const { tryIt, isBeside } of probes)
        try {
          await tryIt(signal)
        } catch (error) {
          if (!isBeside || !isNotThere(error)) throw error
          notes.push(error.message)
        }
      return { ...about, status: 'ok', message: null, ...(notes.length && { notes }) }
    } catch (error) {
      const failed = failedCheck(error)
      // Versions that have not the list, or not all of its fields, refuse the question.
      return { ...about, ...failed, ...(isOptional && isRefused(error) && { status: 'absent' }) }
    }
  }
  const checkDrafts = async (probes: Probe[]) =>
    checkOfLists(await Promise.all(probes.map((probe) => checkOne('drafts', [probe], true))))
  system.session.begin()
  try {
    const all = Object.entries(probesOf(system))
    return await Promise.all(
      all.map(([record, probes]) =>
        record === 'drafts' ? checkDrafts(probes) : checkOne(record, probes),
      ),
    )
  } finally {
    await system.session.close()
  }
}
