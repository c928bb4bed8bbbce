import type { StreamCheck } from '../adapter.ts'
import { failedCheck } from '../check.ts'
import type { KeysetQuery } from '../odata/keyset.ts'
import type { RecordKind } from '../records.ts'
import { LEDGER_FIELDS } from './demand.ts'
import { ledgerQuery } from './ledger.ts'
import { itemQuery, vendorQuery } from './masters.ts'
import { cardQuery } from './planning.ts'
import { rightsOf } from './rights.ts'
import type { System } from './system.ts'

/** Requests one row of what each stream needs. */
export function checkStreams(system: System, signal: AbortSignal): Promise<StreamCheck[]> {
  const analytics = async (set: string, key: string): Promise<KeysetQuery> => {
    const { analytics: service } = await system.services(signal)
    return { service, set, key, keyType: 'text', select: [key] }
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
    checkOne('openOrders', () => analytics('outstandingPurchaseLines', 'documentNo'), transfers),
    checkOne('customerOrders', () => analytics('outstandingSalesLines', 'documentNo')),
    checkOne('demand', ledger),
  ])
}
