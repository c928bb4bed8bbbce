import { z } from 'zod'
import {
  type Beside,
  type DecisionGroup,
  type DecisionWorth,
  listMonths,
  type MonthFigures,
  type MonthMoney,
  type ValueMonth as Row,
} from '../../../../domain/proposals/index.ts'
import { fieldMap, fieldsOf } from '../../http/field-map.ts'
import { fromId, toId } from '../../http/ids.ts'
import { listEndpoint } from '../../http/page.ts'

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

const field = fieldsOf<Row>()
const [ValueMonth, toValueMonth] = fieldMap<Row>()('ValueMonth', {
  source_id: field('source', z.string(), (source) => toId('src', source)),
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
  figures: field('figures', Figures.nullable(), (figures) => figures && toFigures(figures)),
  lines: field('lines', Lines.describe('Counted by the days on which they were made, or decided.')),
  decisions: field('decisions', z.array(Decisions), (groups) => groups.map(toDecisions)),
})

const month = () => z.string().regex(/^[0-9]{4}-(0[1-9]|1[0-2])$/, 'must be a month as YYYY-MM')

export const listValueMonths = listEndpoint({
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
  fetch: ({ after, limit }, { source, ...months }) =>
    listMonths({
      ...months,
      ...(source !== undefined && { source: fromId('src', source) }),
      ...{ after, limit },
    }),
})
