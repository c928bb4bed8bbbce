import type { StreamCheck } from '../adapter.ts'
import { checkOfLists, failedCheck } from '../check.ts'
import type { RecordKind } from '../records.ts'
import { RIGHTS } from './auth.ts'
import {
  BATCHES,
  CONTRACTS,
  DRAFTS,
  ITEMS,
  LOCATIONS,
  MOVEMENTS,
  PLANNING,
  PURCHASE_ORDERS,
  RATES,
  RECEIPTS,
  SALES_ORDERS,
  STOCK,
  VENDORS,
} from './queries.ts'
import { probeOf, type Query } from './suiteql/query.ts'
import type { System } from './system.ts'

const { items, locations, vendors, transactions, setup } = RIGHTS

/** What each stream asks for, and the permissions that it takes. */
const PROBES: [RecordKind, Query, readonly string[]][] = [
  ['locations', LOCATIONS, [locations]],
  ['suppliers', VENDORS, [vendors]],
  ['skus', ITEMS, [items, RIGHTS.units]],
  ['planning', PLANNING, [items, locations]],
  ['stock', STOCK, [items, locations]],
  ['batches', BATCHES, [items, locations]],
  ['drafts', DRAFTS, [transactions, RIGHTS.requisitions, RIGHTS.purchaseOrders]],
  ['drafts', CONTRACTS, [transactions, RIGHTS.purchaseOrders, ...RIGHTS.contracts]],
  ['openOrders', PURCHASE_ORDERS, [transactions, RIGHTS.purchaseOrders, vendors]],
  ['customerOrders', SALES_ORDERS, [transactions, RIGHTS.salesOrders]],
  ['exchangeRates', RATES, [RIGHTS.currency]],
  ['receipts', RECEIPTS, [transactions, RIGHTS.receipts, RIGHTS.purchaseOrders]],
  ['demand', MOVEMENTS, [transactions, RIGHTS.fulfilments, ...RIGHTS.sales]],
]

/** Asks for one row of each list, without the columns that an account may lack. */
export async function checkStreams(system: System, signal: AbortSignal): Promise<StreamCheck[]> {
  const checkOne = async ([record, query, rights]: (typeof PROBES)[0]): Promise<StreamCheck> => {
    try {
      await system.suiteQl.run(probeOf({ ...query, optional: {} }), signal)
      return { record, status: 'ok', message: null, rights: [...setup, ...rights] }
    } catch (error) {
      return { record, ...failedCheck(error), rights: [...rights] }
    }
  }
  const checks = Map.groupBy(await Promise.all(PROBES.map(checkOne)), ({ record }) => record)
  return [...checks.values()].map(checkOfLists)
}
