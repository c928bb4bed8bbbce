import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify'
import { z } from 'zod'
import { URGENCIES } from '../../../../engine/proposal/index.ts'
import {
  booleanInQuery,
  code,
  codesOf,
  currency,
  day,
  integerInQuery,
  money,
  repeatable,
  timestamp,
} from '../../../base/input.ts'
import {
  costsQuestion,
  fillBudgetOf,
  type Budget as FilledBudget,
  type BudgetLine as FilledLine,
  findProposal,
  type BlockedPair as FoundBlockedPair,
  type HistoryEntry as FoundEntry,
  type Risk as FoundRisk,
  listHistory,
  listBlocked as readBlocked,
  listProposals as readProposals,
  type Proposal as ServiceProposal,
  riskOfProposal,
  type Sort,
} from '../../../domain/proposals/index.ts'
import type { Reply } from '../http/body.ts'
import { endpoint } from '../http/endpoint.ts'
import { fieldMap, fieldsOf, fromId, named, toElements, toId } from '../http/field-map.ts'
import { listEndpoint, type ServicePage } from '../http/page.ts'
import { abcClass, Proposal, PROPOSAL_STATUSES, toProposal } from './to-proposal.ts'

type QuantityRisk = FoundRisk['none']

const [Risk, toRiskOfQuantity] = fieldMap<QuantityRisk>()('Risk', {
  quantity: z.number(),
  stockout_probability: z
    .number()
    .min(0)
    .max(1)
    .describe('Before the order of the next review could arrive.'),
  stockout_day: z.iso
    .date()
    .nullable()
    .describe('When the median demand has used up the supply; null: not within a year.'),
  days_of_supply_p50: z.number(),
  days_of_supply_p90: z.number(),
  value: fieldsOf<QuantityRisk>()('value', z.string().nullable(), (value) =>
    value === null ? null : value.toFixed(2),
  ),
})

const riskField = fieldsOf<FoundRisk>()

const [ProposalRisk, toRisk] = fieldMap<FoundRisk>()('ProposalRisk', {
  id: riskField('ID', z.string(), (ID) => toId('prop', ID)),
  as_of: z.iso.date(),
  currency: z.string().nullable(),
  none: riskField('none', Risk.describe('Without an order.'), toRiskOfQuantity),
  proposed: riskField(
    'proposed',
    Risk.describe('With the quantity of the proposal.'),
    toRiskOfQuantity,
  ),
  asked: riskField(
    'asked',
    Risk.nullable().describe('With the quantity asked for.'),
    (asked) => asked && toRiskOfQuantity(asked),
  ),
})

const [HistoryEntry, toHistoryEntry] = fieldMap<FoundEntry>()('HistoryEntry', {
  at: z.iso.datetime(),
  by: fieldsOf<FoundEntry>()('actor', z.string()),
  on_behalf_of: z.string().nullable().describe('The delegator whose right the deputy used.'),
  via: z.string().describe('api, ui, task_center, my_inbox or system.'),
  event: z.string(),
  quantity: z.int().nullable(),
  comment: z.string().nullable(),
  version: z.int(),
})

const blockedField = fieldsOf<FoundBlockedPair>()

const [BlockedPair, toBlockedPair] = fieldMap<FoundBlockedPair>()('BlockedPair', {
  sku: z.string(),
  location: z.string(),
  reason: z.string(),
  missing: codesOf<NonNullable<FoundBlockedPair['missing']>>({
    ...{ lead_time: true, stock: true, supplier: true, unit_conversion: true, cost: true },
    ...{ open_orders: true, led_by_another_source: true },
  }),
  source_id: blockedField(
    'source',
    z.string().optional().describe('Where another source leads: the one that the pair is of.'),
    (ID, { ledBy }) => ledBy && toId('src', ID),
  ),
  led_by: blockedField(
    'ledBy',
    z.string().optional().describe('The source that leads the pair, where that is the reason.'),
    (ID) => ID && toId('src', ID),
  ),
})

const SORTS = ['-created_at', 'urgency', '-value', '-value_at_risk'] as const

const filters = {
  status: repeatable(z.enum(PROPOSAL_STATUSES)).optional(),
  urgency: repeatable(z.enum(URGENCIES)).optional(),
  location: code().optional(),
  sku: code().optional(),
  supplier: code().optional(),
  abc_class: abcClass().optional(),
  updated_since: timestamp().optional(),
  min_value: money().optional(),
  order_by_until: day().optional(),
  due: booleanInQuery()
    .optional()
    .describe('True: those alone that must be ordered by the present day of their location.'),
  responsible: code()
    .max(255)
    .optional()
    .describe(
      'Those of this buyer, as the ordering rules name them; me: those of the caller and of whom the caller stands in for; ' +
        'team: those with the same team_lead, or whose team_lead the caller is.',
    ),
}

type Filters = z.infer<z.ZodObject<typeof filters>>

const list = (filter: Filters, sort: Sort, page: { after: string | null; limit: number }) =>
  readProposals({ filter: toElements(filters, filter), sort, ...page })

export const ofProposal = named('prop', findProposal)

const listProposals = listEndpoint({
  path: '/proposals',
  summary: 'Lists proposals',
  scopes: ['proposals:read'],
  filters: { ...filters, sort: z.enum(SORTS).default('-created_at') },
  row: Proposal,
  toJson: toProposal,
  fetch: (page, { sort, ...filter }) => list(filter, sort, page),
  beside: {
    members: {
      costs_question: z
        .string()
        .optional()
        .describe('As long as nobody has set costs (/costs): what the shipped ones assume.'),
    },
    async read() {
      const question = await costsQuestion('en')
      return question === null ? {} : { costs_question: question }
    },
  },
})

const listBlocked = listEndpoint({
  path: '/proposals/blocked',
  summary: 'Lists blocked items, which cannot be proposed, and what each is missing',
  scopes: ['proposals:read'],
  row: BlockedPair,
  toJson: toBlockedPair,
  fetch: (page) => readBlocked(page),
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
  of: ofProposal,
  json: async ({ params }) => toProposal(await ofProposal.find(params)),
})

const getHistory = listEndpoint({
  path: '/proposals/:id/history',
  summary: 'Lists what happened to a proposal, oldest first',
  scopes: ['proposals:read'],
  row: HistoryEntry,
  toJson: toHistoryEntry,
  of: ofProposal,
  fetch: (page, _filters, { id }) => listHistory({ ID: fromId('prop', id), ...page }),
})

const MOST_UNITS = 999_999_999

const getRisk = endpoint({
  method: 'get',
  path: '/proposals/:id/risk',
  summary: 'Shows the risk of ordering nothing, the proposed quantity and another quantity',
  scopes: ['proposals:read'],
  query: z.strictObject({ quantity: integerInQuery(0, MOST_UNITS).optional() }),
  answers: { 200: ProposalRisk },
  of: ofProposal,
  errors: ['forecast_not_ready', 'proposal_stale'],
  async json({ params: { id }, query: { quantity = null } }) {
    return toRisk(await riskOfProposal({ ID: fromId('prop', id), quantity }))
  },
})

const PAGE = 1000

const COLUMNS = [
  'external_reference',
  'sku',
  'location',
  'supplier',
  'quantity',
  'unit_cost',
  'value',
  'currency',
  'order_by',
  'status',
  'decided_at',
  'decided_by',
  'kind',
  'from_location',
]

type List = (page: { after: string | null; limit: number }) => Promise<ServicePage<ServiceProposal>>

/** Every proposal of a list, page by page. The first page is read before anything is answered. */
async function exportReply(format: 'csv' | 'json', list: List): Promise<Reply> {
  const first = await list({ after: null, limit: PAGE })
  if (format === 'json') {
    const data = []
    for await (const row of rowsOf(first, list)) data.push(toProposal(row))
    return { status: 200, body: { data } }
  }
  // A cell that a spreadsheet would run as a formula gets an apostrophe in front.
  const csv = stringify({ header: true, columns: COLUMNS, escape_formulas: true })
  const stream = Readable.from(linesOf(first, list)).compose(csv) as Readable
  const headers = {
    'Content-Type': 'text/csv; charset=utf-8; header=present',
    'Content-Disposition': 'attachment; filename="proposals.csv"',
  }
  return { status: 200, stream, headers }
}

async function* rowsOf(first: ServicePage<ServiceProposal>, list: List) {
  let page = first
  yield* page.data
  while (page.next) {
    page = await list({ after: page.next, limit: PAGE })
    yield* page.data
  }
}

async function* linesOf(first: ServicePage<ServiceProposal>, list: List) {
  for await (const row of rowsOf(first, list)) {
    yield { external_reference: toId('prop', row.ID), ...toProposal(row) }
  }
}

const [BudgetLine, toLine] = fieldMap<FilledLine>()('BudgetLine', {
  id: fieldsOf<FilledLine>()('ID', z.string(), (ID) => toId('prop', ID)),
  sku: z.string(),
  location: z.string(),
  quantity: z.int().describe('What the budget pays of it.'),
  proposed_quantity: z.int(),
  value: z.string(),
  value_at_risk: z
    .string()
    .nullable()
    .describe('Expected cost of waiting with this quantity until the next review.'),
})

const [NotTaken, toNotTaken] = fieldMap<FilledBudget['notTaken']>()('NotTaken', {
  lines: z.int().describe('Proposals of which nothing is taken.'),
  value: z.string().describe('All that is not taken, the rest of cut proposals included.'),
  value_at_risk: z.string(),
})

const [LeftOut, toLeftOut] = fieldMap<FilledBudget['leftOut']>()('LeftOut', {
  other_currency: z.int(),
  without_cost: z.int(),
})

const field = fieldsOf<FilledBudget>()

const [Budget, toBudget] = fieldMap<FilledBudget>()('Budget', {
  data: field(
    'data',
    z.array(BudgetLine).describe('What protects most for its money, or its units, first.'),
    (lines) => lines.map(toLine),
  ),
  value: z.string(),
  units: z.int(),
  currency: z.string().nullable(),
  left_value: z.string().nullable().describe('null where no budget of money was given.'),
  left_units: z.int().nullable().describe('null where no units were given.'),
  not_taken: field('notTaken', NotTaken, toNotTaken),
  left_out: field(
    'leftOut',
    LeftOut.describe('Proposals that could not be weighed: in no sum of this answer.'),
    toLeftOut,
  ),
})

const getBudget = endpoint({
  method: 'get',
  path: '/proposals/budget',
  summary: 'Says which pending proposals a budget of money or units is best spent on',
  scopes: ['proposals:read'],
  query: z
    .strictObject({
      supplier: code().optional(),
      location: code().optional(),
      budget: money().optional(),
      units: integerInQuery(0, MOST_UNITS).optional(),
      currency: currency().optional(),
    })
    .refine(({ budget, units }) => budget !== undefined || units !== undefined, {
      message: 'is required, or units',
      path: ['budget'],
    }),
  example: { query: { supplier: 'S-7', budget: '20000.00' } },
  answers: { 200: Budget },
  json: async ({ query }) => toBudget(await fillBudgetOf(query)),
})

export const proposalEndpoints = [
  listProposals,
  listBlocked,
  getBudget,
  exportProposals,
  getProposal,
  getHistory,
  getRisk,
]
