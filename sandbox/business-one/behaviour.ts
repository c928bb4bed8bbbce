import type { Row } from '../v4/filter.ts'

/** What differs between installations, and what goes wrong in them. */
export interface BusinessOneBehaviour {
  /** Rows of a page where the caller prefers none, and the most of one that is preferred. */
  defaultPage: number
  maxPage: number
  /** Quantities as binary fractions, such as 0.30000000000000004. */
  inexact: boolean
  /** The list of an item's warehouses is left out. */
  withoutWarehouses: boolean
  /** Every item has a row for every warehouse, used or not. */
  allWarehouses: boolean
  /** Requests until a session is lost; null for never. */
  sessionRequests: number | null
  /** A lost session is told as 301 in the body of whatever status. */
  lostAs: { status: number; code: number }
  /** Sets that the user may not read. */
  forbidden: string[]
  /** Documents of the same number in another series: by entry. */
  numbers: Map<number, number>
  /** Deliveries that were cancelled, by movement. */
  cancelled: Set<number>
  /** What each draft of the company is; a purchase quotation unless named here. */
  kinds: Map<number, 'PurchaseRequests' | 'Drafts'>
  /** Of which draft an order was made, by entries. */
  madeOf: Map<number, { type: number; entry: number }>
  /** Agreements that are none with suppliers, or do not hold, as rows; the company has the others. */
  otherAgreements: Row[]
  /** Documents besides those of the company, as rows, by list; their entries are higher than its. */
  otherDocuments: Record<string, Row[]>
  /** Warehouses that stand for suppliers who send to the customer. */
  dropShips: Set<string>
  /** Code of the stored query of batches. */
  batchesQuery: string
  /** Sales that were invoiced without a delivery, by movement. */
  invoiced: Set<number>
}

export const DEFAULT_BEHAVIOUR: BusinessOneBehaviour = {
  ...{ defaultPage: 20, maxPage: 10_000, inexact: true, withoutWarehouses: false },
  ...{ allWarehouses: false, sessionRequests: null, lostAs: { status: 401, code: 301 } },
  ...{ forbidden: [], numbers: new Map(), cancelled: new Set(), invoiced: new Set() },
  ...{ kinds: new Map(), madeOf: new Map(), otherAgreements: [], otherDocuments: {} },
  dropShips: new Set(),
  batchesQuery: 'restock_batches',
}
