// What stands around proposals: every item, exceptions that no order can mend, and drafts in the ERP.
import { z } from 'zod'
import { DRAFT_KINDS } from '../../../../adapters/records.ts'
import { booleanInQuery, code, repeatable, text } from '../../../base/input.ts'
import { type Facts, sentenceOf } from '../../../base/texts/sentences.ts'
import {
  type Draft as DraftRow,
  EXCEPTION_KINDS,
  findException,
  type Exception as FoundException,
  type Item as FoundItem,
  ITEM_STATES,
  listDrafts,
  listItems,
  listExceptions as readExceptions,
  settleException as settle,
} from '../../../domain/proposals/index.ts'
import { endpoint } from '../http/endpoint.ts'
import { fieldMap, fieldsOf, fromId, named, toId } from '../http/field-map.ts'
import { listEndpoint } from '../http/page.ts'
import { Calculation, toCalculation } from './to-proposal.ts'

const ofItem = fieldsOf<FoundItem>()

const english = (facts: Facts | null) => facts && sentenceOf(facts, 'en')

const [Item, toItem] = fieldMap<FoundItem>()('Item', {
  sku: z.string(),
  location: z.string(),
  source_id: ofItem('source', z.string(), (ID) => toId('src', ID)),
  state: z.enum(ITEM_STATES).describe('There may be more in the future.'),
  why: ofItem('why', z.string().describe('Why it is ordered or not, in a sentence.'), english),
  change: ofItem(
    'change',
    z.string().nullable().describe('What would lead to an order; null where there is one.'),
    english,
  ),
  proposal_id: ofItem(
    'proposal',
    z.string().nullable().describe('The open proposal, or the one that was rejected.'),
    (ID) => (ID === null ? null : toId('prop', ID)),
  ),
  enough_until: z.iso
    .date()
    .nullable()
    .describe('Until then its service target is met; null: not known, or longer than is forecast.'),
  order_about: z.iso
    .date()
    .nullable()
    .describe('When an order is to be expected, at the median of demand.'),
  slack: z.number().nullable().describe('Units that may leave before an order is due.'),
  calculation: ofItem(
    'calculation',
    Calculation.nullable().describe(
      'The sum of an item without a proposal; null where none is made.',
    ),
    (calculation) => calculation && toCalculation(calculation),
  ),
})

const getItems = listEndpoint({
  path: '/items',
  summary: 'Lists every item, ordered or not, and why',
  scopes: ['proposals:read'],
  filters: { sku: code().optional(), location: code().optional() },
  row: Item,
  toJson: toItem,
  fetch: (page, filter) => listItems({ ...filter, ...page }),
})

export const itemEndpoints = [getItems]

const KINDS = EXCEPTION_KINDS.slice(0, -1)
const lastKind = EXCEPTION_KINDS.at(-1)

const ofException = fieldsOf<FoundException>()

const [Exception, toException] = fieldMap<FoundException>()('Exception', {
  id: ofException('ID', z.string(), (ID) => toId('exc', ID)),
  kind: z.string().describe(`${KINDS.join(', ')} or ${lastKind}; there may be more in the future.`),
  sku: z
    .string()
    .describe('Empty where it is about a whole supplier or source; so may be the location.'),
  location: z.string(),
  supplier: z.string().nullable(),
  document: z
    .string()
    .nullable()
    .describe('The order in the ERP with its line, or the proposal, where it is about one.'),
  quantity: z.number(),
  from: ofException(
    'promisedOn',
    z.iso.date().nullable().describe('The day on which the order is due.'),
  ),
  to: ofException(
    'wantedOn',
    z.iso
      .date()
      .nullable()
      .describe(
        'The day on which the order is needed; of slipped_order the one that was counted on, of unconfirmed_order that of the order.',
      ),
  ),
  value: z.string().nullable().describe('Quantity times unit cost.'),
  value_at_risk: z
    .string()
    .nullable()
    .describe('Expected cost of what comes late or not at all, for the kinds that are about that.'),
  currency: z.string().nullable(),
  message: z.string(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  settled_at: z.iso.datetime().nullable(),
  settled_by: z.string().nullable(),
  comment: z.string().nullable(),
})

const filters = {
  kind: repeatable(z.enum(EXCEPTION_KINDS)).optional(),
  location: code().optional(),
  sku: code().optional(),
  supplier: code().optional(),
  settled: booleanInQuery().default(false),
}

const listExceptions = listEndpoint({
  path: '/exceptions',
  summary: 'Lists exceptions, which no order can mend, by default the open ones',
  scopes: ['proposals:read'],
  filters,
  row: Exception,
  toJson: toException,
  fetch: (page, filter) => readExceptions({ filter, ...page }),
})

const settleException = endpoint({
  method: 'post',
  path: '/exceptions/:id/settle',
  summary: 'Settles an exception; settling it twice changes nothing',
  scopes: ['proposals:decide'],
  body: z.strictObject({ comment: text().max(1000).optional() }),
  bodyOptional: true,
  example: { body: { comment: 'The supplier delivers on Monday' } },
  answers: { 200: Exception },
  of: named('exc', findException),
  errors: ['approval_limit_exceeded'],
  async handle({ params: { id }, body: { comment } }) {
    const exception = await settle({ ID: fromId('exc', id), comment: comment ?? null })
    return { status: 200, body: toException(exception) }
  },
})

export const exceptionEndpoints = [listExceptions, settleException]

const ofDraft = fieldsOf<DraftRow>()

const [Draft, toDraft] = fieldMap<DraftRow>()('Draft', {
  source_id: ofDraft('source_ID', z.string(), (ID) => toId('src', ID)),
  document: z.string(),
  line: z.string(),
  kind: ofDraft('kind', z.enum(DRAFT_KINDS), (kind) => kind as (typeof DRAFT_KINDS)[number]),
  sku: z.string(),
  location: ofDraft(
    'location',
    z.string().nullable().describe('null: a contract of all locations.'),
    (location) => location || null,
  ),
  supplier: z.string().nullable(),
  quantity: z.number().describe('All that was asked for, or agreed.'),
  remaining: z.number().describe('What has not become orders yet.'),
  due: ofDraft(
    'due',
    z.iso.date().nullable().describe('Of a contract its last day.'),
    (day) => day,
  ),
  created_on: ofDraft(
    'createdOn',
    z.iso.date().nullable().describe('Of a contract its first day.'),
    (day) => day,
  ),
  unit_cost: ofDraft(
    'unitCost',
    z.string().nullable().describe('Of a contract: what a base unit costs by it.'),
    (cost) => cost,
  ),
  currency: ofDraft(
    'currency',
    z
      .string()
      .nullable()
      .describe("Of unit_cost and agreed_value. null: that of the SKU's unit cost."),
    (currency) => currency,
  ),
  agreed_value: ofDraft(
    'agreedValue',
    z
      .string()
      .nullable()
      .describe('Of a contract over money: all that was agreed, in the currency.'),
    (value) => value,
  ),
  remaining_value: ofDraft(
    'remainingValue',
    z.string().nullable().describe('What the ERP says is left of agreed_value.'),
    (value) => value,
  ),
  age_days: z.int().nullable(),
  standing: z
    .enum(['counted', 'too_old', 'in_proposal', 'contract'])
    .describe(
      'counted: it counts as coming. too_old: it is older than the setting draftDays says. in_proposal: it is what an ' +
        'approved proposal became, which counts itself. contract: orders call off from it, and nothing comes by itself.',
    ),
  reference: z.string().nullable(),
})

const filter = code().max(100).optional()

const getDrafts = listEndpoint({
  path: '/drafts',
  summary:
    'Lists what lies in the ERP before an order, with what is left of it and whether it counts',
  scopes: ['proposals:read'] as const,
  filters: {
    ...{ sku: filter, location: filter, supplier: filter },
    kind: z.enum(DRAFT_KINDS).optional(),
  },
  row: Draft,
  toJson: toDraft,
  fetch: ({ after, limit }, filters) => listDrafts({ ...filters, after, limit }),
})

export const draftEndpoints = [getDrafts]
