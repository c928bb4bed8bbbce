// Pages of lists that do not come, when what came before them is stored.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Erp } from '../../../sandbox/index.ts'
import { until } from '../../support/service.ts'

/** Longer than pages wait for others that are stored with them. */
const UNTIL_STORED_MS = 3_300
export type Lists = { kind: 'slow' | 'hang'; match: string; skip?: number }[]

const DEMAND = 'A_MaterialDocumentHeader(?!.*InventoryTransactionType).*expand'
const RECEIPTS = 'A_MaterialDocumentHeader.*expand.*InventoryTransactionType'

/** The third page does not come: by then what can be stored of the first two is stored. */
export const thirdPages = [
  ...['A_Product\\?.*ProductGroup.*LastChangeDateTime ge', 'A_ProductSupplyPlanning'],
  ...['A_MatlStkInAcctMod', 'PurchaseOrderItem\\?', 'A_SalesOrderItem\\?', RECEIPTS, DEMAND],
].flatMap((match): Lists => [
  { kind: 'slow', match, skip: 1 },
  { kind: 'hang', match, skip: 1 },
])

const IN_TURN = 'A_Product\\?.*IsMarkedForDeletion&'
/** Stored are the products that have changed, two pages of those in turn, and what was booked today, not the day before. */
export const oldestDays: Lists = [
  { kind: 'slow', match: IN_TURN, skip: 1 },
  { kind: 'hang', match: IN_TURN, skip: 1 },
  ...[RECEIPTS, DEMAND].flatMap((match): Lists => [
    { kind: 'hang', match },
    { kind: 'slow', match },
  ]),
]

/** Begins something, and waits until the service waits for a page of each list. The source must allow so many requests. */
export async function hangAt<T>(erp: Erp, lists: Lists, begin: () => Promise<T>): Promise<T> {
  erp.control.clearLog()
  for (const fault of lists) erp.control.fault({ delayMs: UNTIL_STORED_MS, ...fault })
  const begun = await begin()
  const hanging = () => erp.log.filter(({ fault }) => fault === 'hang').length
  await until(async () => hanging() === lists.filter(({ kind }) => kind === 'hang').length, 60)
  for (let before = -1; before !== erp.log.length; await sleep(300)) before = erp.log.length
  return begun
}
