import type { Item } from '../company/model.ts'
import type { ModelRecord } from '../models/predicate.ts'

export interface Agreement {
  id: number
  type: 'blanket_order' | 'purchase_template'
  state: string
  item: Item
  /** In dozens, as `ordered`. */
  quantity: number
  ordered: number
  /** Of a dozen. */
  price: number
  from: string | false
  until: string | false
}

/** What this Odoo is like, and the traps that it sets. */
export interface OdooBehaviour {
  /** From 19 on JSON-2 is there. */
  version: number
  /** Models that the user may not read. */
  forbidden: string[]
  /** Models of which every call ends in an error of this Odoo's own. */
  broken: string[]
  /** The user sees two companies. */
  isMultiCompany: boolean
  /** Goods of others lie in the warehouses. */
  hasConsignment: boolean
  /** Orders of an even number are sent by the supplier; others sell kits, of which two make one. */
  hasKitsAndDropShipping: boolean
  /** The module of subcontracting is installed: orders of an even number are subcontracted, and sales of one are what is sent for it. */
  subcontracts: boolean
  /** The module of expiration dates is installed. */
  knowsExpiry: boolean
  /** Blanket orders of Odoo's module of purchase agreements; null: it is not installed. */
  agreements: Agreement[] | null
  /** The next call by JSON-RPC fails inside HTTP 200, with an error of this name. */
  rpcErrorOnce: string | null
  /** The API key is no longer valid. */
  isKeyRevoked: boolean
  /** A row of this model with this number gets these values. */
  badRow: { model: string; id: number; values: Record<string, unknown> } | null
  /** Moves beside those of the company. */
  otherMoves: ModelRecord[]
  /** A model without any record. */
  emptyModel: string | null
}

export const WELL: OdooBehaviour = {
  ...{ version: 19, forbidden: [], broken: [], isMultiCompany: false, hasConsignment: false },
  ...{ hasKitsAndDropShipping: false, knowsExpiry: true, agreements: null },
  subcontracts: false,
  otherMoves: [],
  ...{ rpcErrorOnce: null, isKeyRevoked: false, badRow: null, emptyModel: null },
}
