import { z } from 'zod'
import { Refusal } from '../../../base/errors.ts'
import { code, day, month } from '../../../base/input.ts'
import { DAY_MS } from '../../../base/time/days.ts'
import {
  type Beside,
  type DecisionGroup,
  type DecisionWorth,
  listMonths,
  listScorecards,
  type MonthFigures,
  type MonthMoney,
  type ValueMonth as MonthRow,
  type ValueReport as Report,
  type SupplierScorecard as SupplierRow,
  valueReport,
} from '../../../domain/proposals/index.ts'
import { readSource } from '../../../domain/sources/index.ts'
import { endpoint } from '../http/endpoint.ts'
import { fieldMap, fieldsOf, fromId, toId } from '../http/field-map.ts'
import { listEndpoint } from '../http/page.ts'

const [Outcome, toOutcome] = fieldMap<Report['system']>()('Outcome', {
  stockout_days: z.int().describe('Days on which demand exceeded stock.'),
  units_short: z.number(),
  average_stock: z.number().describe('Units at the end of the day, summed over the pairs.'),
})

const ofReport = fieldsOf<Report>()

const [ValueReport, toValueReport] = fieldMap<Report>()('ValueReport', {
  from: z.iso.date(),
  to: z.iso.date(),
  decided: z.int(),
  unchanged: z.int(),
  edited: z.int(),
  rejected: z.int().describe('Rejected or cancelled: nothing was ordered.'),
  evaluated: z.int().describe('Edits and rejections whose days have passed.'),
  too_recent: z.int().describe('Those whose days have not.'),
  system: ofReport('system', Outcome, toOutcome),
  buyer: ofReport('buyer', Outcome, toOutcome),
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
/** A last day is read up to the start of the next one, and databases know no year 10000. */
const lastDay = () => day().refine((value) => value < '9999-12-31', 'must lie before 9999-12-31')

const getValue = endpoint({
  method: 'get',
  path: '/reports/value',
  summary: 'Compares edits and rejections of a period with the demand that followed',
  scopes: ['proposals:read'],
  query: z.strictObject({ from: day(), to: lastDay() }),
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

const beside = <T extends z.ZodType>(value: T) =>
  z.object({ planned: value.nullable(), came: value })
const as = <T>(both: Beside<T>) => both
const amounts = () => beside(z.string())

const money = fieldsOf<MonthMoney>()
const [Money, toMoney] = fieldMap<MonthMoney>()('ValueMonthMoney', {
  currency: z.string(),
  stock_value: money('stockValue', amounts().describe('Mean of the measured days.'), as),
  carrying_cost: money('carryingCost', amounts(), as),
  shortage_cost: money('shortageCost', amounts(), as),
  fill_rate: money(
    'fillRate',
    z
      .object({ planned: z.number().nullable(), came: z.number().nullable() })
      .describe(
        '0..1: of the value of expected demand what found stock; null: not measured, or on a part of the days alone.',
      ),
    as,
  ),
})

const figure = fieldsOf<MonthFigures>()
const [Figures, toFigures] = fieldMap<MonthFigures>()('ValueMonthFigures', {
  pairs: z.int().describe('Mean number of pairs that could be ordered.'),
  without_cost: z.int().describe('Of them without a unit cost: they are in no money.'),
  stockouts: figure(
    'stockouts',
    beside(z.number()).describe('0..1: of the days of all pairs those with nothing on hand.'),
    as,
  ),
  units_short: figure(
    'unitsShort',
    beside(z.number()).describe('What the forecast expected of the days with nothing on hand.'),
    as,
  ),
  money: figure('money', z.array(Money).describe('By currency.'), (rows) => rows.map(toMoney)),
})

const [Worth, toWorth] = fieldMap<DecisionWorth>()('DecisionWorth', {
  currency: z.string(),
  as_proposed: z
    .string()
    .describe('What being short and carrying cost with the proposed quantities.'),
  as_decided: z.string(),
  worth: z.string().describe('The first less the second: below 0 where the proposals were better.'),
})

const Lines = z
  .object({
    proposed: z.int(),
    approved: z.int().describe('As proposed.'),
    edited: z.int().describe('Approved with another quantity.'),
    rejected: z.int().describe('Or cancelled.'),
    ordered: z.int().describe('Of the approved ones those that are orders of the ERP by now.'),
  })
  .meta({ id: 'MonthLines' })

const group = fieldsOf<DecisionGroup>()
const [Decisions, toDecisions] = fieldMap<DecisionGroup>()('MonthDecisions', {
  what: z.enum(['unchanged', 'edited', 'rejected']),
  person: z.string().nullable().describe('null: of all whose decisions are seen as a sum alone.'),
  reason: z.string().nullable().describe('Of a rejection.'),
  lines: z.int(),
  evaluated: z.int().describe('Edits and rejections whose days have passed.'),
  too_recent: z.int().describe('Those whose days have not.'),
  without_cost: z.int().describe('Evaluated ones without a unit cost.'),
  worth: group('worth', z.array(Worth), (rows) => rows.map(toWorth)),
})

const ofMonth = fieldsOf<MonthRow>()
const [ValueMonth, toValueMonth] = fieldMap<MonthRow>()('ValueMonth', {
  source_id: ofMonth('source', z.string(), (source) => toId('src', source)),
  month: z.string().describe('YYYY-MM'),
  days: z.int().describe('Days on which stock was measured.'),
  first_day: z.iso
    .date()
    .nullable()
    .describe(
      'The first of them, on which the month was planned: figures are of the days from it on.',
    ),
  last_day: z.iso.date().nullable(),
  lacks: z
    .enum(['not_measured', 'too_few_days'])
    .nullable()
    .describe('Why there are no figures. too_few_days: less than 14.'),
  figures: ofMonth('figures', Figures.nullable(), (figures) => figures && toFigures(figures)),
  lines: ofMonth(
    'lines',
    Lines.describe('Counted by the days on which they were made, or decided.'),
  ),
  decisions: ofMonth('decisions', z.array(Decisions), (groups) => groups.map(toDecisions)),
})

const listValueMonths = listEndpoint({
  path: '/reports/months',
  summary:
    'Tells of each month what was planned and what came of stock, stockouts and money, and what decisions were worth',
  scopes: ['proposals:read'] as const,
  errors: ['source_not_found'],
  filters: {
    source: z.string().max(20).optional(),
    from: month().optional(),
    to: month().optional(),
  },
  row: ValueMonth,
  toJson: toValueMonth,
  fetch: async ({ after, limit }, { source: id, ...months }) => {
    const { from, to } = months
    if (from && to && to < from) {
      throw new Refusal('invalid_parameter', 'to: must not be before from', { target: 'to' })
    }
    const source = id === undefined ? undefined : fromId('src', id)
    if (source !== undefined) await readSource(source)
    return listMonths({ ...months, ...(source !== undefined && { source }), after, limit })
  },
})

const share = () => z.number().nullable()
const FIGURES = {
  lines: z.int().describe('Order lines that were due, or came early.'),
  outstanding: z.int().describe('Of them not there yet.'),
  on_time: share().describe('0..1: half of it was there on the promised day or before.'),
  early: share(),
  late: share(),
  in_full: share().describe('All of it was there by the promised day.'),
  on_time_in_full: share(),
  days_late: share().describe('Mean of the late lines.'),
  most_days_late: share(),
  price_change: share().describe(
    'What the same goods cost more, 0.05 is 5 %: of a year from the first to the last price, of a month (of the orders) from the price before. null where the source names no prices.',
  ),
}

const [ScorecardMonth, toMonth] = fieldMap<SupplierRow['months'][number]>()('ScorecardMonth', {
  month: z.string().describe('Of the promised days, YYYY-MM.'),
  ...FIGURES,
})

const ofSupplier = fieldsOf<SupplierRow>()

const [SupplierScorecard, toScorecard] = fieldMap<SupplierRow>()('SupplierScorecard', {
  source_id: ofSupplier('source', z.string(), (source) => toId('src', source)),
  supplier: z.string(),
  ...FIGURES,
  peers_on_time: share().describe('The median of the other suppliers.'),
  lateness_stock: ofSupplier(
    'latenessStock',
    z
      .array(z.object({ currency: z.string(), value: z.string() }))
      .describe('What its uncertain lead times add to the target stocks of pending proposals.'),
    (stock) => stock,
  ),
  months: ofSupplier('months', z.array(ScorecardMonth), (months) => months.map(toMonth)),
})

const supplierScorecards = listEndpoint({
  path: '/scorecards',
  summary:
    'Tells of each supplier how it kept its promises in a year, by month and beside its peers',
  scopes: ['proposals:read'] as const,
  filters: { supplier: code().max(100).optional() },
  row: SupplierScorecard,
  toJson: toScorecard,
  fetch: ({ after, limit }, filters) => listScorecards({ ...filters, after, limit }),
})

export const reportEndpoints = [getValue, listValueMonths, supplierScorecards]
