import { z } from 'zod'
import { booleanInQuery, code, repeatable, text } from '../../../base/input.ts'
import { endpoint } from '../http/endpoint.ts'
import { fieldMap, fieldsOf } from '../http/field-map.ts'
import { fromId, toId } from '../http/ids.ts'
import { listEndpoint } from '../http/page.ts'
import {
  EXCEPTION_KINDS,
  type Exception as FoundException,
  findException,
  listExceptions as readExceptions,
  settleException as settle,
} from '../../../domain/proposals/index.ts'

const KINDS = EXCEPTION_KINDS.slice(0, -1)
const lastKind = EXCEPTION_KINDS.at(-1)

const field = fieldsOf<FoundException>()

const [Exception, toException] = fieldMap<FoundException>()('Exception', {
  id: field('ID', z.string(), (ID) => toId('exc', ID)),
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
  from: field('promisedOn', z.iso.date().nullable().describe('The day on which the order is due.')),
  to: field(
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
  errors: ['not_found', 'approval_limit_exceeded'],
  exists: ({ id }) => findException(fromId('exc', id)),
  async handle({ params: { id }, body: { comment } }) {
    const exception = await settle({ ID: fromId('exc', id), comment: comment ?? null })
    return { status: 200, body: toException(exception) }
  },
})

export const exceptionEndpoints = [listExceptions, settleException]
