// Pages of lists that do not come, when what came before them is stored.
import { setTimeout as sleep } from 'node:timers/promises'
import { addDays } from '../../../adapters/rows/days.ts'
import type { Erp, LogEntry } from '../../../sandbox/index.ts'
import { until } from '../../support/service.ts'

/** Longer than pages wait for others that are stored with them. */
const UNTIL_STORED_MS = 3_300

interface Late {
  kind: 'slow' | 'hang'
  match: string
  skip?: number
  times?: null
  delayMs?: number
}

/** @param today of the ERP */
export type Lists = (today: string) => Late[]

/** The third page does not come: by then what can be stored of the first two is stored. */
const thirdPageOf = (match: string): Late[] => [
  { kind: 'slow', match, skip: 1 },
  { kind: 'hang', match, skip: 1 },
]

/** Documents are read once for demand, receipts, stock and orders, each day with requests of its own. */
const documentsOf = (days: string) =>
  `A_MaterialDocumentHeader.*expand.*CreationDate ge datetime'${days}`

/** What is asked for at once. Stored are the days of documents before today; tomorrow's are late, so that they are. */
export const firstLists: Lists = (today) => [
  ...thirdPageOf('A_Product\\?.*ProductGroup.*LastChangeDateTime ge'),
  ...thirdPageOf('A_ProductSupplyPlanning'),
  { kind: 'slow', match: documentsOf(addDays(today, 1)) },
  { kind: 'hang', match: documentsOf(today), skip: 2 },
]

/** Stock of all types; of single ones it is asked for orders and batches. */
const STOCK = 'A_MatlStkInAcctMod\\?(?!.*InventoryStockType eq)'

/** What is asked for once the documents have come. */
export const listsAfterDocuments: Lists = () =>
  [STOCK, 'PurchaseOrderItem\\?', 'A_SalesOrderItem\\?'].flatMap(thirdPageOf)

/** Stored are the products that have changed, and two pages of those in turn. */
export const productsInTurn: Lists = () => thirdPageOf('A_Product\\?.*IsMarkedForDeletion&')

/** And what was booked today, not the days before. That today is through is stored with tomorrow, which comes later still. */
export const oldestDays: Lists = (today) => [
  ...productsInTurn(today),
  { kind: 'slow', match: documentsOf(today) },
  { kind: 'slow', match: documentsOf(addDays(today, 1)), delayMs: 3 * UNTIL_STORED_MS },
  {
    kind: 'hang',
    match: documentsOf(`(?!${today}|${addDays(today, 1)})`),
    times: null,
  },
]

/**
 * Begins something, and waits until the service waits for a page of each list, and has what came late. The source must allow
 * so many requests.
 */
export async function hangAt<T>(erp: Erp, lists: Lists, begin: () => Promise<T>): Promise<T> {
  erp.control.clearLog()
  const late = lists(erp.control.counts().today)
  for (const fault of late) erp.control.fault({ delayMs: UNTIL_STORED_MS, ...fault })
  const begun = await begin()
  const isMet = ({ kind, match }: Late) =>
    erp.log.some(
      (entry) =>
        entry.fault === kind &&
        (kind === 'hang' || entry.status) &&
        new RegExp(match).test(requestOf(entry)),
    )
  await until(async () => late.every(isMet), 60)
  for (let before = -1; before !== erp.log.length; await sleep(300)) before = erp.log.length
  return begun
}

const requestOf = ({ method, path, query }: LogEntry) =>
  `${method} ${path}${decodeURIComponent(query)}`
