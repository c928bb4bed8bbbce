import { z } from 'zod'
import { Refusal } from '../../../base/errors.ts'
import { type Sum, SUMMED_LISTS, sumsOf } from '../../../domain/sources/index.ts'
import { endpoint } from '../http/endpoint.ts'
import { fieldMap } from '../http/field-map.ts'
import { fromId } from '../http/ids.ts'
import { readSource } from './sources.ts'

const [SourceSum, toSourceSum] = fieldMap<Sum>()('SourceSum', {
  location: z.string(),
  sku: z.string().nullable().describe('Null in the sums of a location.'),
  month: z.string().nullable().describe('`YYYY-MM`, of demand.'),
  rows: z.int().describe('Rows that were added up; of demand days.'),
  quantity: z.number().describe('In base units; of demand less returns.'),
})

const query = z.strictObject({
  list: z.enum(SUMMED_LISTS).describe('What is added up.'),
  location: z.string().min(1).optional().describe('The SKUs of this location alone.'),
  month: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month as YYYY-MM')
    .optional()
    .describe('Of demand: this month alone.'),
  before: z.iso
    .date('must be a calendar day as YYYY-MM-DD')
    .refine((day) => day >= '1970-01-02' && day <= '2200-01-01', 'must lie between 1970 and 2200')
    .optional()
    .describe('Of demand: without this day and later ones.'),
})

export const getSums = endpoint({
  method: 'get',
  path: '/sources/:id/sums',
  summary: 'Adds up what was read of a connected ERP, to be held against its own reports',
  scopes: ['sources:manage'],
  query,
  example: { query: { list: 'stock' } },
  answers: { 200: z.object({ data: z.array(SourceSum) }) },
  errors: ['source_not_found'],
  exists: ({ id }) => readSource(id),
  async json({ params: { id }, query }) {
    const { list, location, month, before } = query
    if (list !== 'demand' && month !== undefined) refuse('month', 'is for demand alone')
    if (list !== 'demand' && before !== undefined) refuse('before', 'is for demand alone')
    if (list === 'demand' && (location === undefined) !== (month === undefined))
      refuse(location === undefined ? 'location' : 'month', 'must be given too, for demand by SKU')
    return { data: (await sumsOf(fromId('src', id), query)).map(toSourceSum) }
  },
})

function refuse(target: string, what: string): never {
  throw new Refusal('invalid_parameter', `${target} ${what}.`, { target })
}
