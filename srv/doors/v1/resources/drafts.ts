import { z } from 'zod'
import { DRAFT_KINDS } from '../../../../adapters/records.ts'
import { code } from '../../../base/input.ts'
import { type Draft as Row, listDrafts } from '../../../domain/proposals/index.ts'
import { fieldMap, fieldsOf } from '../http/field-map.ts'
import { toId } from '../http/ids.ts'
import { listEndpoint } from '../http/page.ts'

const field = fieldsOf<Row>()

const [Draft, toDraft] = fieldMap<Row>()('Draft', {
  source_id: field('source_ID', z.string(), (ID) => toId('src', ID)),
  document: z.string(),
  line: z.string(),
  kind: field('kind', z.enum(DRAFT_KINDS), (kind) => kind as (typeof DRAFT_KINDS)[number]),
  sku: z.string(),
  location: field(
    'location',
    z.string().nullable().describe('null: a contract of all locations.'),
    (location) => location || null,
  ),
  supplier: z.string().nullable(),
  quantity: z.number().describe('All that was asked for, or agreed.'),
  remaining: z.number().describe('What has not become orders yet.'),
  due: field('due', z.iso.date().nullable().describe('Of a contract its last day.'), (day) => day),
  created_on: field(
    'createdOn',
    z.iso.date().nullable().describe('Of a contract its first day.'),
    (day) => day,
  ),
  unit_cost: field(
    'unitCost',
    z.string().nullable().describe('Of a contract: what a base unit costs by it.'),
    (cost) => cost,
  ),
  currency: field(
    'currency',
    z
      .string()
      .nullable()
      .describe("Of unit_cost and agreed_value. null: that of the SKU's unit cost."),
    (currency) => currency,
  ),
  agreed_value: field(
    'agreedValue',
    z
      .string()
      .nullable()
      .describe('Of a contract over money: all that was agreed, in the currency.'),
    (value) => value,
  ),
  remaining_value: field(
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

const text = code().max(100).optional()

const list = listEndpoint({
  path: '/drafts',
  summary:
    'Lists what lies in the ERP before an order, with what is left of it and whether it counts',
  scopes: ['proposals:read'] as const,
  filters: {
    ...{ sku: text, location: text, supplier: text },
    kind: z.enum(DRAFT_KINDS).optional(),
  },
  row: Draft,
  toJson: toDraft,
  fetch: ({ after, limit }, filters) => listDrafts({ ...filters, after, limit }),
})

export const draftEndpoints = [list]
