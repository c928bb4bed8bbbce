import { z } from 'zod'
import type { ValueReport as Stored } from '#cds-models/ProposalsService'
import type { ServiceRow } from '../../store/service-row.ts'
import { fieldMap, fieldsOf } from '../http/field-map.ts'

export type ServiceReport = ServiceRow<Stored>

const [Outcome, toOutcome] = fieldMap<ServiceReport['system']>()('Outcome', {
  stockout_days: z.int().describe('Days on which demand exceeded stock.'),
  units_short: z.number(),
  average_stock: z.number().describe('Units at the end of the day, summed over the pairs.'),
})

const field = fieldsOf<ServiceReport>()

export const [ValueReport, toValueReport] = fieldMap<ServiceReport>()('ValueReport', {
  from: z.iso.date(),
  to: z.iso.date(),
  decided: z.int(),
  unchanged: z.int(),
  edited: z.int(),
  rejected: z.int().describe('Rejected or cancelled: nothing was ordered.'),
  evaluated: z.int().describe('Edits and rejections whose days have passed.'),
  too_recent: z.int().describe('Those whose days have not.'),
  system: field('system', Outcome, toOutcome),
  buyer: field('buyer', Outcome, toOutcome),
  working_capital: z.array(
    z.object({
      currency: z.string(),
      system: z.string(),
      buyer: z.string(),
      difference: z.string().describe('What the buyers’ stock was worth above the system’s.'),
    }),
  ),
})
