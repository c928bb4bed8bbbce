import type { Pair } from '../company/model.ts'
import type { Row } from '../v4/filter.ts'

/** What differs between environments, and what goes wrong in them. */
export interface BusinessCentralBehaviour {
  /** Names of choices as `Positive_x0020_Adjmt_x002E_`. */
  encodedChoices: boolean
  /** Open lines of one document, item, location and day are one row. */
  summed: boolean
  /** Most rows of a page. */
  maxPage: number
  /** Larger pages are refused with 413; null for none. */
  refuseAbove: number | null
  /** No location has a code: the company uses none. */
  withoutLocations: boolean
  /** Sets that the user may not read. */
  forbidden: string[]
  /** On the way between locations, and in the ledger at the location for that. */
  transfers: { pair: Pair; quantity: number; due: string }[]
  /** Entries of the ledger beside those of the company, as rows; their numbers are between 500,000 and 900,000. */
  otherEntries: (Row & { entryNo: number })[]
  /** What goes back to suppliers, in the same list as what is on order. */
  returnOrders: Pair[]
  /** Lines of a requisition worksheet; `origin` is blank where a person entered them. */
  requisitions: { pair: Pair; quantity: number; due: string; origin?: string }[]
  /** The quote that each order was made of, by orders. */
  quotes: Map<number, string>
  /** The API knows when lots expire. */
  knowsExpiry: boolean
  /** Stockkeeping units with a lead time of their own. */
  stockkeepingUnits: { pair: Pair; leadTime: string }[]
  companies: { id: string; name: string; displayName: string }[]
  /** What Entra says that it grants beside what was asked for. */
  furtherScopes: string[]
  tokenSeconds: number
}

export const COMPANY_ID = '5a1e0b7c-3f3d-4c41-9a53-0d5f3c0a9b11'

export const DEFAULT_BEHAVIOUR: BusinessCentralBehaviour = {
  ...{ encodedChoices: true, summed: true, maxPage: 20_000, refuseAbove: null },
  ...{ withoutLocations: false, forbidden: [], transfers: [], otherEntries: [] },
  returnOrders: [],
  ...{ requisitions: [], quotes: new Map(), knowsExpiry: true },
  stockkeepingUnits: [],
  companies: [{ id: COMPANY_ID, name: 'CRONUS', displayName: 'CRONUS International' }],
  furtherScopes: ['https://api.businesscentral.dynamics.com/user_impersonation'],
  tokenSeconds: 3600,
}
