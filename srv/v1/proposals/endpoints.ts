import { z } from 'zod'
import { exportReply } from './export.ts'
import { endpoint } from '../http/endpoint.ts'
import { toElements } from '../http/field-map.ts'
import { code, integerInQuery, money, repeatable, timestamp } from '../http/fields.ts'
import { pageOf, pageSchema, paging, type ServicePage } from '../http/page.ts'
import { fromId } from '../http/ids.ts'
import { send } from '../http/send.ts'
import { BlockedPair, type ServiceBlockedPair, toBlockedPair } from './to-blocked.ts'
import { HistoryEntry, type ServiceHistoryEntry, toHistoryEntry } from './to-history.ts'
import { ProposalRisk, type ServiceRisk, toRisk } from './to-risk.ts'
import { Proposal, PROPOSAL_STATUSES, type ServiceProposal, toProposal } from './to-proposal.ts'

const SERVICE = 'ProposalsService'
const SORTS = ['-created_at', 'urgency', '-value'] as const

const filters = {
  status: repeatable(z.enum(PROPOSAL_STATUSES)).optional(),
  location: code().optional(),
  sku: code().optional(),
  supplier: code().optional(),
  updated_since: timestamp().optional(),
  min_value: money().optional(),
}

type Filters = z.infer<z.ZodObject<typeof filters>>

const list = (filter: Filters, sort: string, page: { after: string | null; limit: number }) =>
  send<ServicePage<ServiceProposal>>(SERVICE, 'list', {
    filter: toElements(filters, filter),
    sort,
    ...page,
  })

export const readProposal = (id: string | undefined) =>
  send<ServiceProposal>(SERVICE, 'find', { ID: fromId('prop', id) })

const listProposals = endpoint({
  method: 'get',
  path: '/proposals',
  summary: 'Lists proposals',
  scopes: ['proposals:read'],
  query: z.strictObject({ ...filters, sort: z.enum(SORTS).default('-created_at'), ...paging }),
  answers: { 200: pageSchema(Proposal) },
  errors: ['invalid_cursor'],
  async handle({ path, query }) {
    const fetch = (page: { after: string | null; limit: number }) => list(query, query.sort, page)
    return { status: 200, body: await pageOf(path, query, fetch, toProposal) }
  },
})

const listBlocked = endpoint({
  method: 'get',
  path: '/proposals/blocked',
  summary: 'Lists blocked pairs, which cannot be proposed, and what each is missing',
  scopes: ['proposals:read'],
  query: z.strictObject(paging),
  answers: { 200: pageSchema(BlockedPair) },
  errors: ['invalid_cursor'],
  async handle({ path, query }) {
    const fetch = (page: object) => send<ServicePage<ServiceBlockedPair>>(SERVICE, 'blocked', page)
    return { status: 200, body: await pageOf(path, query, fetch, toBlockedPair) }
  },
})

const exportProposals = endpoint({
  method: 'get',
  path: '/proposals/export',
  summary: 'Exports proposals for the import of the ERP, by default the approved ones',
  scopes: ['proposals:read'],
  query: z.strictObject({ ...filters, format: z.enum(['csv', 'json']).default('csv') }),
  answers: { 200: z.object({ data: z.array(Proposal) }) },
  handle({ query: { format, ...filter } }) {
    const chosen = { ...filter, status: filter.status ?? ['approved'] }
    return exportReply(format, (page) => list(chosen, '-created_at', page))
  },
})

const getProposal = endpoint({
  method: 'get',
  path: '/proposals/:id',
  summary: 'Shows a proposal',
  scopes: ['proposals:read'],
  answers: { 200: Proposal },
  errors: ['proposal_not_found'],
  exists: ({ id }) => readProposal(id),
  async handle({ params: { id } }) {
    return { status: 200, body: toProposal(await readProposal(id)) }
  },
})

const getHistory = endpoint({
  method: 'get',
  path: '/proposals/:id/history',
  summary: 'Lists what happened to a proposal, oldest first',
  scopes: ['proposals:read'],
  query: z.strictObject(paging),
  answers: { 200: pageSchema(HistoryEntry) },
  errors: ['proposal_not_found', 'invalid_cursor'],
  exists: ({ id }) => readProposal(id),
  async handle({ path, params: { id }, query }) {
    const ID = fromId('prop', id)
    const fetch = (page: object) =>
      send<ServicePage<ServiceHistoryEntry>>(SERVICE, 'history', { ID, ...page })
    return { status: 200, body: await pageOf(path, query, fetch, toHistoryEntry) }
  },
})

const MOST_UNITS = 999_999_999

const getRisk = endpoint({
  method: 'get',
  path: '/proposals/:id/risk',
  summary: 'Shows the risk of ordering nothing, the proposed quantity and another quantity',
  scopes: ['proposals:read'],
  query: z.strictObject({ quantity: integerInQuery(0, MOST_UNITS).optional() }),
  answers: { 200: ProposalRisk },
  errors: ['proposal_not_found', 'forecast_not_ready', 'proposal_stale'],
  exists: ({ id }) => readProposal(id),
  async handle({ params: { id }, query: { quantity } }) {
    const ID = fromId('prop', id)
    const risk = await send<ServiceRisk>(SERVICE, 'risk', { ID, quantity: quantity ?? null })
    return { status: 200, body: toRisk(risk) }
  },
})

export const proposalEndpoints = [
  listProposals,
  listBlocked,
  exportProposals,
  getProposal,
  getHistory,
  getRisk,
]
