// What is told of a source in figures: how good its forecasts were, and what was read of it.
import { z } from 'zod'
import {
  type PastOrderLine,
  type PastPair as Past,
  pastOfSource,
} from '../../../domain/proposals/index.ts'
import { Refusal } from '../../../base/errors.ts'
import { day, month, storable } from '../../../base/input.ts'
import {
  type QualityGroup as Group,
  type QualityReport as Report,
  qualityReport,
  type WorstPair as Pair,
} from '../../../domain/quality/index.ts'
import { type Sum, SUMMED_LISTS, sumsOf } from '../../../domain/sources/index.ts'
import { endpoint } from '../http/endpoint.ts'
import { fieldMap, fieldsOf, fromId, toId } from '../http/field-map.ts'
import { listEndpoint } from '../http/page.ts'
import { ofSource } from './sources.ts'

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
  of: ofSource,
  async json({ params }) {
    const { ID } = await ofSource.find(params)
    return toQuality(await qualityReport(ID))
  },
})

const [SourceSum, toSourceSum] = fieldMap<Sum>()('SourceSum', {
  location: z.string(),
  sku: z.string().nullable().describe('Null in the sums of a location.'),
  month: z.string().nullable().describe('`YYYY-MM`, of demand.'),
  rows: z.int().describe('Rows that were added up; of demand days.'),
  quantity: z.number().describe('In base units; of demand less returns.'),
})

const query = z.strictObject({
  list: z.enum(SUMMED_LISTS).describe('What is added up.'),
  location: storable(z.string().min(1)).optional().describe('The SKUs of this location alone.'),
  month: month(/^\d{4}-(0[1-9]|1[0-2])$/)
    .optional()
    .describe('Of demand: this month alone.'),
  before: day()
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
  of: ofSource,
  async json({ params: { id }, query }) {
    const { list, location, month, before } = query
    if (list !== 'demand' && month !== undefined) refuse('month', 'is for demand alone')
    if (list !== 'demand' && before !== undefined) refuse('before', 'is for demand alone')
    if (list === 'demand' && (location === undefined) !== (month === undefined))
      refuse(location === undefined ? 'location' : 'month', 'must be given too, for demand by SKU')
    return { data: (await sumsOf(fromId('src', id), query)).map(toSourceSum) }
  },
})

const [OrderLine, toOrderLine] = fieldMap<PastOrderLine>()('PastOrderLine', {
  document: z.string(),
  ordered_on: z.iso.date().nullable(),
  received_on: z.iso.date().nullable().describe('Null for what has not come yet.'),
  quantity: z.number(),
})

const Spells = z.array(z.object({ from: z.iso.date(), to: z.iso.date() }))
const past = fieldsOf<Past>()
const planned = <Name extends keyof Past['planning'], Schema extends z.ZodType>(
  name: Name,
  schema: Schema,
) => past('planning', schema, (planning) => planning[name] ?? null)
const units = () => z.number().nullable()

type AskedOfOrder = NonNullable<Past['supplierOrder']>
const asked = <Schema extends z.ZodType>(
  schema: Schema,
  value: (limits: AskedOfOrder['limits']) => number | null | undefined,
) => fieldsOf<AskedOfOrder>()('limits', schema, (limits) => value(limits) ?? null)

const [SupplierOrder, toSupplierOrder] = fieldMap<AskedOfOrder>()('PastSupplierOrder', {
  location: z.string().describe('Empty: of all locations together.'),
  minimum_value: asked(units(), ({ minimumValue }) => minimumValue),
  minimum_quantity: asked(units(), ({ minimumQuantity }) => minimumQuantity),
  container_units: asked(units(), ({ containerUnits }) => containerUnits),
  free_freight_from: asked(units(), ({ freeFreight }) => freeFreight?.from),
  freight_cost: asked(units(), ({ freeFreight }) => freeFreight?.cost),
  order_cost: asked(
    units().describe('Of an order, whatever its lines; 0: it costs nothing.'),
    ({ orderCost }) => orderCost,
  ),
  cover_days: asked(
    units().describe('Days of demand beyond its target stock that no line is raised above.'),
    ({ coverDays }) => coverDays,
  ),
})

const [PastPair, toPast] = fieldMap<Past>()('PastPair', {
  sku: z.string(),
  location: z.string(),
  group: past('skuGroup', z.string().nullable()),
  supplier: planned('supplier', z.string().nullable()),
  unit_cost: z.string().nullable(),
  currency: z.string().nullable(),
  on_hand: units(),
  lead_time_days: planned('leadTimeDays', units()),
  lead_time_deviation_days: planned('leadTimeDeviationDays', units()),
  review_period_days: planned('reviewPeriodDays', units()),
  order_days: planned(
    'orderDays',
    z
      .array(z.int())
      .nullable()
      .describe('Weekdays on which the supplier takes orders, 1 for Monday; null: every day.'),
  ),
  moq: planned('moq', units()),
  lot_size: planned('lotSize', units()),
  maximum_order: planned('maximumOrder', units()),
  maximum_stock: planned('maximumStock', units()),
  shelf_life_days: planned('shelfLifeDays', units()),
  target_quantile: past(
    'target',
    z.number().nullable().describe('Null where the costs decide.'),
    (target) => ('quantile' in target ? target.quantile : null),
  ),
  stockout_cost_share: z.number(),
  carrying_cost_share_per_year: z.number(),
  unmet_demand: z.enum(['backordered', 'lost']),
  order_line_cost: z.number(),
  supplier_order: past(
    'supplierOrder',
    SupplierOrder.nullable().describe(
      'What the supplier asks of a whole order, by ordering rules or from the ERP; null: nothing.',
    ),
    (order) => order && toSupplierOrder(order),
  ),
  days: z.array(z.iso.date()).describe('Days with demand, ascending.'),
  quantities: z.array(z.number()).describe('What was wanted on each of them, in base units.'),
  promotions: z.array(z.boolean()).nullable().describe('Whether a promotion ran on each of them.'),
  stock_known: past('stockKnown', Spells.describe('Days on which stock was read or reported.')),
  stockouts: Spells.describe('Days without stock.'),
  order_lines: past(
    'orderLines',
    z.array(OrderLine).describe('Receipts of orders, and what is still to come.'),
    (lines) => lines.map(toOrderLine),
  ),
})

export const listPast = listEndpoint({
  path: '/sources/:id/past',
  summary: 'Lists what was read of the past of each pair, to replay it',
  scopes: ['sources:manage'],
  row: PastPair,
  toJson: toPast,
  of: ofSource,
  async fetch(page, _filters, params) {
    const { ID } = await ofSource.find(params)
    return pastOfSource(ID, page)
  },
})

function refuse(target: string, what: string): never {
  throw new Refusal('invalid_parameter', `${target} ${what}.`, { target })
}
