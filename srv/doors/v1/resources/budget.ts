import { z } from 'zod'
import { endpoint } from '../http/endpoint.ts'
import { fieldMap, fieldsOf } from '../http/field-map.ts'
import { code, currency, integerInQuery, money } from '../../../base/input.ts'
import { toId } from '../http/ids.ts'
import {
  type Budget as FilledBudget,
  type BudgetLine as FilledLine,
  fillBudgetOf,
} from '../../../domain/proposals/index.ts'

const [BudgetLine, toLine] = fieldMap<FilledLine>()('BudgetLine', {
  id: fieldsOf<FilledLine>()('ID', z.string(), (ID) => toId('prop', ID)),
  sku: z.string(),
  location: z.string(),
  quantity: z.int().describe('What the budget pays of it.'),
  proposed_quantity: z.int(),
  value: z.string(),
  value_at_risk: z
    .string()
    .nullable()
    .describe('Expected cost of waiting with this quantity until the next review.'),
})

const [NotTaken, toNotTaken] = fieldMap<FilledBudget['notTaken']>()('NotTaken', {
  lines: z.int().describe('Proposals of which nothing is taken.'),
  value: z.string().describe('All that is not taken, the rest of cut proposals included.'),
  value_at_risk: z.string(),
})

const [LeftOut, toLeftOut] = fieldMap<FilledBudget['leftOut']>()('LeftOut', {
  other_currency: z.int(),
  without_cost: z.int(),
})

const field = fieldsOf<FilledBudget>()

const [Budget, toBudget] = fieldMap<FilledBudget>()('Budget', {
  data: field(
    'data',
    z.array(BudgetLine).describe('What protects most for its money, or its units, first.'),
    (lines) => lines.map(toLine),
  ),
  value: z.string(),
  units: z.int(),
  currency: z.string().nullable(),
  left_value: z.string().nullable().describe('null where no budget of money was given.'),
  left_units: z.int().nullable().describe('null where no units were given.'),
  not_taken: field('notTaken', NotTaken, toNotTaken),
  left_out: field(
    'leftOut',
    LeftOut.describe('Proposals that could not be weighed: in no sum of this answer.'),
    toLeftOut,
  ),
})

const MOST_UNITS = 999_999_999

export const getBudget = endpoint({
  method: 'get',
  path: '/proposals/budget',
  summary: 'Says which pending proposals a budget of money or units is best spent on',
  scopes: ['proposals:read'],
  query: z
    .strictObject({
      supplier: code().optional(),
      location: code().optional(),
      budget: money().optional(),
      units: integerInQuery(0, MOST_UNITS).optional(),
      currency: currency().optional(),
    })
    .refine(({ budget, units }) => budget !== undefined || units !== undefined, {
      message: 'is required, or units',
      path: ['budget'],
    }),
  example: { query: { supplier: 'S-7', budget: '20000.00' } },
  answers: { 200: Budget },
  json: async ({ query }) => toBudget(await fillBudgetOf(query)),
})
