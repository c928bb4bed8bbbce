import { z } from 'zod'
import { Refusal } from '../../../../base/errors.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fieldMap, fieldsOf } from '../../http/field-map.ts'
import { type ValueReport as Report, valueReport } from '../../../../domain/proposals/index.ts'
import { DAY_MS } from '../../../../base/time/days.ts'
import { listValueMonths } from './months.ts'

const [Outcome, toOutcome] = fieldMap<Report['system']>()('Outcome', {
  stockout_days: z.int().describe('Days on which demand exceeded stock.'),
  units_short: z.number(),
  average_stock: z.number().describe('Units at the end of the day, summed over the pairs.'),
})

const field = fieldsOf<Report>()

export const [ValueReport, toValueReport] = fieldMap<Report>()('ValueReport', {
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

const LONGEST_MS = 3_660 * DAY_MS

const day = () =>
  z.iso
    .date('must be a calendar day as YYYY-MM-DD')
    .refine((value) => value >= '0001', 'must not be before the year 1')

const getValue = endpoint({
  method: 'get',
  path: '/reports/value',
  summary: 'Compares edits and rejections of a period with the demand that followed',
  scopes: ['proposals:read'],
  query: z.strictObject({ from: day(), to: day() }),
  example: { query: { from: '2026-07-01', to: '2026-09-30' } },
  answers: { 200: ValueReport },
  async json({ query: { from, to } }) {
    const length = Date.parse(to) - Date.parse(from)
    if (length < 0 || length > LONGEST_MS) {
      const message = 'to must not be before from, nor more than ten years after it.'
      throw new Refusal('invalid_parameter', message, { target: 'to' })
    }
    return toValueReport(await valueReport({ from, to }))
  },
})

export const reportEndpoints = [getValue, listValueMonths]
