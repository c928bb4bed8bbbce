// What an agent may do: a table of tools, each one operation of the typed client. None decides: no operation that does is in it.
import type { Method, PathOf } from '../client/index.ts'

export interface Tool {
  name: string
  title: string
  /** What it is for; what its parameters are says the OpenAPI document. */
  description: string
  method: Method
  path: string
  /** Sent where the agent does not say otherwise. */
  defaults?: Record<string, unknown>
}

/** A tool whose operation the client has: another one is an error of the compiler. */
const tool = <M extends 'get' | 'put', P extends PathOf<M>>(
  method: M,
  path: P,
  described: Pick<Tool, 'name' | 'title' | 'description' | 'defaults'>,
): Tool => ({ ...described, method, path })

/** An agent reads pages that fit its context. */
const PAGE = { limit: 20 }

export const TOOLS: readonly Tool[] = [
  tool('get', '/proposals', {
    name: 'list_proposals',
    title: 'List order proposals',
    description:
      'Order lines that Restock proposes, with quantity, value, urgency, rationale and status. ' +
      'For those to be ordered today: status pending, due true.',
    defaults: PAGE,
  }),
  tool('get', '/proposals/{id}/evidence', {
    name: 'explain_proposal',
    title: 'Explain a proposal',
    description:
      'How the quantity of a proposal comes about: each line of its formula, what its forecast is made of, and earlier decisions.',
  }),
  tool('get', '/proposals/{id}/risk', {
    name: 'simulate_quantity',
    title: 'Simulate another quantity',
    description:
      'The chance of a stockout and the days of supply of no order, of the proposed quantity and of another one.',
  }),
  tool('get', '/proposals/blocked', {
    name: 'list_blocked',
    title: 'List what cannot be proposed',
    description: 'SKUs at locations for which nothing can be proposed, and what each is missing.',
    defaults: PAGE,
  }),
  tool('get', '/forecasts', {
    name: 'get_forecast',
    title: 'Forecast demand',
    description:
      'The total demand of a SKU at a location over a number of days, as a range (P10, P50, P90).',
  }),
  tool('get', '/simulations/service', {
    name: 'simulate_service',
    title: 'Simulate a service target',
    description:
      'What another service target, lead time or budget would mean for stock and service. It changes nothing.',
  }),
  tool('get', '/exceptions', {
    name: 'list_exceptions',
    title: 'List exceptions',
    description: 'Problems with stock and open orders that no new order solves, with their money.',
    defaults: PAGE,
  }),
  tool('put', '/proposals/{id}/recommendation', {
    name: 'draft_decision',
    title: 'Draft a decision for a person',
    description:
      'Recommends approving (with a quantity) or rejecting a proposal. A person reads it beside the proposal and decides; ' +
      'this decides nothing and orders nothing. A later draft replaces an earlier one.',
  }),
]
