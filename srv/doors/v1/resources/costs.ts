import { z } from 'zod'
import { code, codesOf } from '../../../base/input.ts'
import {
  type CostsInput,
  type CostsOfGroup,
  costsQuestion,
  costsStatement,
  type CostsStatement,
  estimateCosts,
  type FoundCosts,
  type PastCosts as FoundPast,
  type CostsPreview as FoundPreview,
  type PastRatio as FoundRatio,
  previewCosts,
  setCosts,
  UNMET_DEMANDS,
} from '../../../domain/proposals/index.ts'
import { endpoint } from '../http/endpoint.ts'
import { fieldMap, fieldsOf, toElements } from '../http/field-map.ts'
import { SimulationPoint, toPoint } from './simulations.ts'
import { abcClass } from './to-proposal.ts'

const oneDecimal = (value: number | null) => (value === null ? null : Math.round(value * 10) / 10)

const values = {
  stockout_cost_share: z.number().describe('Of the unit cost, for a unit short.'),
  carrying_cost_share_per_year: z.number().describe('Of the unit cost, for a unit kept a year.'),
  unmet_demand: z.enum(UNMET_DEMANDS),
  weeks: z
    .number()
    .nullable()
    .describe('A unit short costs as much as carrying one so long; null: carrying costs nothing.'),
}

const toValues = (costs: Omit<FoundCosts, 'from'>) => ({
  stockout_cost_share: costs.stockoutCostShare,
  carrying_cost_share_per_year: costs.carryingCostSharePerYear,
  unmet_demand: costs.unmetDemand,
  weeks: oneDecimal(costs.weeks),
})

const CostValues = z.object(values).meta({ id: 'CostValues' })

const CostsInForce = z
  .object({ ...values, from: z.string().describe('configured, or the name of a policy.') })
  .meta({ id: 'CostsInForce' })

const toCosts = ({ from, ...costs }: FoundCosts) => ({ ...toValues(costs), from })

const ofGroup = fieldsOf<CostsOfGroup>()

const [GroupCosts, toGroup] = fieldMap<CostsOfGroup>()('GroupCosts', {
  code: z.string().describe('Of the ABC class or SKU group; empty: all others.'),
  pairs: z.int(),
  costs: ofGroup(
    'costs',
    CostsInForce.nullable().describe('null of all others.'),
    (costs) => costs && toCosts(costs),
  ),
  buys: ofGroup('buys', SimulationPoint, toPoint),
})

interface Asked extends CostsStatement {
  question: string | null
}

const field = fieldsOf<Asked>()

const [Costs, toStatement] = fieldMap<Asked>()('Costs', {
  is_set: field('isSet', z.boolean().describe('Whether anybody has said the costs.')),
  question: z
    .string()
    .nullable()
    .describe('As long as nobody has: what the shipped costs assume, in a sentence.'),
  costs: field('costs', CostsInForce, toCosts),
  currency: z.string(),
  pairs: z.int(),
  simulated: z.int().describe('Fewer than pairs where they are a sample.'),
  buys: field(
    'buys',
    SimulationPoint.describe('What the costs in force buy in the long run on these data.'),
    toPoint,
  ),
  groups: field('groups', z.array(GroupCosts), (groups) => groups.map(toGroup)),
})

const BY = { abc: true, group: true } as const
const by = codesOf(BY).default('abc')

const getCosts = endpoint({
  method: 'get',
  path: '/costs',
  summary: 'Says what being short and carrying stock cost, and which service and stock that buys',
  scopes: ['proposals:read'],
  query: z.strictObject({ by }),
  example: { query: { by: 'group' } },
  answers: { 200: Costs },
  json: async ({ query }) =>
    toStatement({ ...(await costsStatement(query.by)), question: await costsQuestion('en') }),
})

const percent = (most: number) => z.number().min(0).max(most).nullable().optional()

/** The words of a planner. */
const CostsInput = z
  .strictObject({
    sku_group: code()
      .max(100)
      .nullable()
      .optional()
      .describe('Of these SKUs alone; absent: of all.'),
    abc_class: abcClass()
      .nullable()
      .optional()
      .describe('Of the pairs of this class alone, where no group of theirs has costs of its own.'),
    unmet_demand: z.enum(UNMET_DEMANDS).nullable().optional(),
    margin_percent: percent(99).describe('Of the price: what is earned with a unit.'),
    late_percent: percent(1000).describe(
      'Of the price: what a unit costs that a customer waits for.',
    ),
    short_per_unit: z
      .number()
      .min(0)
      .max(1e9)
      .nullable()
      .optional()
      .describe("In the account's currency, instead of both percents."),
    weeks: z
      .number()
      .min(0)
      .max(5000)
      .nullable()
      .optional()
      .describe('Instead of all three: a unit short costs as much as carrying one so long.'),
    storage_percent: percent(1000).describe('A year, of the unit cost.'),
    interest_percent: percent(1000).describe('A year, of the unit cost.'),
    write_off_percent: percent(100).describe(
      'Of the unit cost, of what lies longer than the days.',
    ),
    write_off_after_days: z.int().min(1).max(36_500).nullable().optional(),
  })
  .meta({ id: 'CostsInput' })

const fromInput = (input: z.infer<typeof CostsInput>): CostsInput =>
  toElements(CostsInput.shape, input)

const CostSteps = z.array(
  z
    .object({
      term: z.enum(['stockout_cost_share', 'carrying_cost_share_per_year', 'weeks']),
      formula: z.string().describe('Empty where it stays as it is.'),
      value: z.number(),
    })
    .meta({ id: 'CostStep' }),
)

const preview = fieldsOf<FoundPreview>()

const [CostsPreview, toPreview] = fieldMap<FoundPreview>()('CostsPreview', {
  sku_group: z.string().nullable(),
  abc_class: preview('abcClass', abcClass().nullable()),
  before: preview('before', CostsInForce, toCosts),
  after: preview('after', CostValues, toValues),
  steps: preview('steps', CostSteps),
  currency: z.string(),
  pairs: z.int(),
  now: preview('now', SimulationPoint, toPoint),
  then: preview('then', SimulationPoint, toPoint),
})

const words = {
  ...{ unmet_demand: 'lost', margin_percent: 30, storage_percent: 8, interest_percent: 6 },
  ...{ write_off_percent: 50, write_off_after_days: 730 },
}

const postPreview = endpoint({
  method: 'post',
  path: '/costs/preview',
  summary: "Turns a planner's words into costs, and says what these would buy; changes nothing",
  scopes: ['proposals:read'],
  repeatable: true,
  body: CostsInput,
  example: { body: words },
  answers: { 200: CostsPreview },
  json: async ({ body }) => toPreview(await previewCosts(fromInput(body))),
})

const SetCosts = z
  .object({
    sku_group: z.string().nullable(),
    abc_class: abcClass().nullable(),
    costs: CostsInForce,
    steps: CostSteps,
  })
  .meta({ id: 'SetCosts' })

const putCosts = endpoint({
  method: 'put',
  path: '/costs',
  summary:
    "Sets the costs by a planner's words, in the ordering rule for everything, for a group or for an ABC class",
  scopes: ['policies:manage'],
  body: CostsInput,
  example: { body: words },
  answers: { 200: SetCosts },
  async json({ body }) {
    const { skuGroup, abcClass, costs, steps } = await setCosts(fromInput(body))
    return { sku_group: skuGroup, abc_class: abcClass, costs: toCosts(costs), steps }
  },
})

const ratio = fieldsOf<FoundRatio>()

const [PastRatio, toRatio] = fieldMap<FoundRatio>()('PastRatio', {
  code: z.string(),
  pairs: z.int(),
  weeks: ratio(
    'ratio',
    z.number().nullable().describe('A unit short was worth carrying one so long.'),
    (found) => found && oneDecimal(found.weeks),
  ),
  low: ratio('ratio', z.number().nullable(), (found) => found && oneDecimal(found.low)),
  high: ratio(
    'ratio',
    z.number().nullable().describe('In nine of ten cases it lies between low and high.'),
    (found) => found && oneDecimal(found.high),
  ),
  found_from: ratio(
    'ratio',
    z.object({ pairs: z.int(), stockouts: z.int() }).nullable(),
    (found) => found && { pairs: found.pairs, stockouts: found.stockouts },
  ),
  reason: z
    .enum(['no_stock_history', 'no_orders', 'few_stockouts'])
    .nullable()
    .describe('Why it cannot be told.'),
})

const past = fieldsOf<FoundPast>()

const [PastCosts, toPast] = fieldMap<FoundPast>()('PastCosts', {
  from: z.iso.date(),
  to: z.iso.date(),
  all: past('all', PastRatio, toRatio),
  groups: past('groups', z.array(PastRatio), (groups) => groups.map(toRatio)),
  least: z
    .object({ days: z.int(), receipts: z.int(), stockouts: z.int() })
    .describe(
      'Days of known stock and receipts of a pair, and stockouts in all, without which nothing is told.',
    ),
})

const getPast = endpoint({
  method: 'get',
  path: '/costs/past',
  summary: 'Estimates the ratio of costs by which stock was kept in the past year; sets nothing',
  scopes: ['proposals:read'],
  query: z.strictObject({ by }),
  example: { query: { by: 'abc' } },
  answers: { 200: PastCosts },
  json: async ({ query }) => toPast(await estimateCosts(query.by)),
})

export const costEndpoints = [getCosts, putCosts, postPreview, getPast]
