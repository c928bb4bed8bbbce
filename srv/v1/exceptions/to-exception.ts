import { z } from 'zod'
import type { Exception as Stored } from '#cds-models/ProposalsService'
import type { ServiceRow } from '../../store/service-row.ts'
import { codesOf } from '../http/fields.ts'
import { fieldMap, fieldsOf } from '../http/field-map.ts'
import { toId } from '../http/ids.ts'

export type ServiceException = ServiceRow<Stored>

export const ExceptionKind = codesOf<ServiceException['kind']>({
  expedite: true,
  postpone: true,
  cancel_order: true,
  overdue_order: true,
  overstock: true,
  dead_stock: true,
  stale_data: true,
  rule_conflict: true,
  no_history: true,
  unmatched_approval: true,
})

const field = fieldsOf<ServiceException>()

export const [Exception, toException] = fieldMap<ServiceException>()('Exception', {
  id: field('ID', z.string(), (ID) => toId('exc', ID)),
  kind: z
    .string()
    .describe(
      'expedite, postpone, cancel_order, overdue_order, overstock, dead_stock, stale_data, rule_conflict, ' +
        'no_history or unmatched_approval; there may be more in the future.',
    ),
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
  to: field('wantedOn', z.iso.date().nullable().describe('The day on which the order is needed.')),
  value: z.string().nullable().describe('Quantity times unit cost.'),
  currency: z.string().nullable(),
  message: z.string(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  settled_at: z.iso.datetime().nullable(),
  settled_by: z.string().nullable(),
  comment: z.string().nullable(),
})
