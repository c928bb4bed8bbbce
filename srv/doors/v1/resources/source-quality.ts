import { z } from 'zod'
import {
  type QualityGroup as Group,
  type QualityReport as Report,
  qualityReport,
  type WorstPair as Pair,
} from '../../../domain/quality/index.ts'
import { endpoint } from '../http/endpoint.ts'
import { fieldMap, fieldsOf } from '../http/field-map.ts'
import { fromId, toId } from '../http/ids.ts'
import { readSource } from './sources.ts'

const percent = (text: string) => z.number().nullable().describe(`${text}, in percent.`)

const figures = {
  cases: z.int().describe('Forecasts of 28 days whose days are over.'),
  bias: percent('Sum of P50 less demand, over demand'),
  bias_error: percent('Its standard error; the pairs are a sample'),
  weighted_loss: percent('Twice the pinball loss of P10, P50 and P90, over demand'),
  to_naive: percent(
    'Loss over that of repeating the last season, less 100: below 0 is better than that',
  ),
  to_naive_error: percent('Its standard error'),
  error: z.number().describe('How far the P50 of each was from the demand, in units, added up.'),
  money: z
    .number()
    .nullable()
    .describe('The same at the unit cost, in `currency`; null where no cost is known.'),
  erp_cases: z.int().describe('Periods that the ERP had forecast too, before they began.'),
  to_erp: percent(
    'How far P50 was off in these over how far the ERP was, less 100: below 0 is better than the ERP',
  ),
  to_erp_error: percent('Its standard error'),
  erp_bias: percent('What the ERP expected less demand, over demand'),
  bias_beside_erp: percent('The bias of P50 in the same periods'),
}

const [QualityGroup, toGroup] = fieldMap<Group>()('QualityGroup', {
  part: z.enum(['group', 'supplier', 'location', 'pattern', 'abc', 'xyz']),
  code: z.string().describe('Empty for pairs that have none.'),
  name: z.string().nullable(),
  pairs: z.int(),
  ...figures,
})

const pair = fieldsOf<Pair>()

const [WorstPair, toPair] = fieldMap<Pair>()('WorstPair', {
  sku: z.string(),
  name: pair('skuName', z.string().nullable()),
  location: z.string(),
  group: pair('skuGroup', z.string().nullable()),
  supplier: z.string().nullable(),
  pattern: pair('demandClass', z.string().nullable()),
  demand: z.number(),
  abc: z.string().nullable(),
  xyz: z.string().nullable(),
  ...figures,
})

const report = fieldsOf<Report>()

const [Quality, toQuality] = fieldMap<Report>()('Quality', {
  source_id: report('source', z.string(), (ID) => toId('src', ID)),
  kind: z
    .enum(['given', 'replayed'])
    .nullable()
    .describe(
      'Forecasts as they were given, or the past replayed while none of these is over; null: nothing is scored yet.',
    ),
  from: z.iso.date().nullable().describe('The first month in which scored forecasts ended.'),
  to: z.iso.date().nullable().describe('The last such month.'),
  currency: z.string(),
  series: z.int().describe('Pairs of SKU and location of this source.'),
  pairs: z.int().describe('Those of them that were scored: a sample of up to 400.'),
  ...figures,
  groups: report('groups', z.array(QualityGroup), (groups) => groups.map(toGroup)),
  worst: report(
    'worst',
    z.array(WorstPair).describe('The twenty that were off by the most money.'),
    (worst) => worst.map(toPair),
  ),
})

export const getQuality = endpoint({
  method: 'get',
  path: '/sources/:id/quality',
  summary: 'Shows how good the forecasts of a connected ERP were',
  scopes: ['sources:manage'],
  answers: { 200: Quality },
  errors: ['source_not_found'],
  exists: ({ id }) => readSource(id),
  async json({ params: { id } }) {
    await readSource(id)
    return toQuality(await qualityReport(fromId('src', id)))
  },
})
