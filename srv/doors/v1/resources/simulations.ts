import { z } from 'zod'
import { endpoint } from '../http/endpoint.ts'
import { fieldMap, fieldsOf } from '../http/field-map.ts'
import { invalidParameter } from '../../../base/errors.ts'
import { code, codesOf, money } from '../../../base/input.ts'
import {
  type Point,
  simulate,
  type Simulation as FoundSimulation,
  type SimulationBudget as FoundBudget,
  type SimulationGroup as FoundGroup,
} from '../../../domain/proposals/index.ts'

const toMoney = (value: number) => value.toFixed(2)
const toPercent = (value: number | null) => (value === null ? null : Math.round(value * 1e4) / 1e4)

const point = fieldsOf<Point>()

export const [SimulationPoint, toPoint] = fieldMap<Point>()('SimulationPoint', {
  target: z.number().nullable().describe('null: each pair by its own rules.'),
  stock_value: point('stockValue', z.string().describe('Mean stock on hand.'), toMoney),
  stock_error: point(
    'stockError',
    z.string().describe('Its standard error; "0.00" where no pair was left out.'),
    toMoney,
  ),
  fill_rate: point(
    'fillRate',
    z.number().nullable().describe('Percent of demand, in money, that finds stock.'),
    toPercent,
  ),
  stockout_chance: point(
    'stockoutChance',
    z.number().describe('Percent, in a cycle of a pair.'),
    (value) => toPercent(value)!,
  ),
  short_per_year: point(
    'shortPerYear',
    z.string().describe('Demand that finds no stock.'),
    toMoney,
  ),
})

const orNone = (value: Point | null) => (value ? toPoint(value) : null)

const group = fieldsOf<FoundGroup>()

const [SimulationGroup, toGroup] = fieldMap<FoundGroup>()('SimulationGroup', {
  code: z.string().describe('Empty: all others, or those that name none.'),
  pairs: z.int(),
  rules: group('rules', SimulationPoint, toPoint),
  curve: group('curve', z.array(SimulationPoint), (points) => points.map(toPoint)),
  target: z.number().nullable().describe('That the budget is best spent on; null without one.'),
})

const budget = fieldsOf<FoundBudget>()

const [SimulationBudget, toBudget] = fieldMap<FoundBudget>()('SimulationBudget', {
  target: z.number().nullable().describe('The highest one for all that the budget pays.'),
  at_target: budget('atTarget', SimulationPoint.nullable(), orNone),
  spread: budget(
    'spread',
    SimulationPoint.nullable().describe('With the target of each group.'),
    orNone,
  ),
})

const field = fieldsOf<FoundSimulation>()

const [Simulation, toSimulation] = fieldMap<FoundSimulation>()('Simulation', {
  as_of: z.iso.date(),
  currency: z.string(),
  lead_time_change_days: field('changeDays', z.int()),
  pairs: z.int(),
  simulated: z.int().describe('Fewer than pairs where they are a sample.'),
  without_cost: z.int(),
  without_data: z.int().describe('Blocked, not forecast yet, or phased out.'),
  on_hand_value: field('onHandValue', z.string(), toMoney),
  today: field('today', SimulationPoint, toPoint),
  rules: field(
    'rules',
    SimulationPoint.describe('Rules as they are, lead times as asked for.'),
    toPoint,
  ),
  asked: field('asked', SimulationPoint.nullable(), orNone),
  curve: field('curve', z.array(SimulationPoint), (points) => points.map(toPoint)),
  groups: field('groups', z.array(SimulationGroup), (groups) => groups.map(toGroup)),
  budget: field('budget', SimulationBudget.nullable(), (value) => (value ? toBudget(value) : null)),
})

const BY = { abc: true, supplier: true, group: true, location: true } as const

const getService = endpoint({
  method: 'get',
  path: '/simulations/service',
  summary:
    'Says what other service targets, lead times or budgets would mean for stock and service',
  scopes: ['proposals:read'],
  query: z.strictObject({
    target: z
      .string()
      .regex(/^0\.(5\d?|[6-9]\d?)$/, 'must be from 0.5 to 0.99 with two decimals at most')
      .optional(),
    lead_time_change_days: z
      .string()
      .regex(/^(0|-?[1-9]\d{0,2})$/, 'must be an integer from -180 to 180')
      .refine((days) => Math.abs(Number(days)) <= 180, 'must be an integer from -180 to 180')
      .optional(),
    budget: money()
      .refine((amount) => Number(amount) > 0, 'must be above 0')
      .optional(),
    by: codesOf(BY).optional(),
    supplier: code().optional(),
    location: code().optional(),
    sku_group: code().optional(),
  }),
  example: { query: { target: '0.95', budget: '500000.00', by: 'supplier' } },
  answers: { 200: Simulation },
  json: async ({ query: { target, budget: amount, lead_time_change_days: days, ...query } }) => {
    const { by, ...filters } = query
    const found = await simulate({
      target: target === undefined ? null : Number(target),
      budget: amount === undefined ? null : Number(amount),
      changeDays: Number(days ?? 0),
      by: by ?? null,
      supplier: filters.supplier ?? null,
      location: filters.location ?? null,
      skuGroup: filters.sku_group ?? null,
    })
    assertSome(found, filters)
    return toSimulation(found)
  },
})

/** Of nothing there would be a chance of a stockout of 0. @throws Refusal invalid_parameter where the filters leave no pair */
function assertSome(
  { pairs, withoutCost, withoutData }: FoundSimulation,
  filters: Record<string, string | undefined>,
) {
  const [first, ...others] = Object.entries(filters).filter(([, value]) => value !== undefined)
  if (!first || pairs + withoutCost + withoutData > 0) return
  const [target, value] = first
  const beside = others.map(([name, also]) => `, with ${name} "${also}"`).join('')
  throw invalidParameter(target, `no SKU that you see has "${value}"${beside}`)
}

export const simulationEndpoints = [getService]
