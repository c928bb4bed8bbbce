import { z } from 'zod'
import {
  LEAST_STEP,
  MOST_UNITS,
  POLICY_LEVELS,
  listPolicies as readPolicies,
  MOST_PRICE_BREAKS,
  POLICY_NUMBERS,
  type PolicyKeyName,
  type PolicyLevel,
  type PolicyNumber,
  type PolicyRule,
  type PriceBreakOfRule,
  removePolicy,
  setPolicy,
  type StoredPolicy,
  UNMET_DEMANDS,
} from '../../../domain/proposals/index.ts'
import { endpoint } from '../http/endpoint.ts'
import { code, money } from '../../../base/input.ts'
import { listEndpoint } from '../http/page.ts'
import { fieldMap, fieldsOf, toElements } from '../http/field-map.ts'
import { message } from '../../../base/texts/texts.ts'

/** A number that a rule may set, or null. */
function number(name: PolicyNumber) {
  const { least, most, ...range } = POLICY_NUMBERS[name]
  const number = 'whole' in range ? z.int() : z.number()
  return number.min(least).max(most).nullable()
}

const person = (what: string) => code().max(255).nullable().describe(what)

const values = {
  review_period_days: number('reviewPeriodDays'),
  stockout_cost_share: number('stockoutCostShare').describe('A share of the unit cost.'),
  carrying_cost_share_per_year: number('carryingCostSharePerYear').describe(
    'A share of the unit cost.',
  ),
  unmet_demand: z
    .enum(UNMET_DEMANDS)
    .nullable()
    .describe('What becomes of demand that finds no stock.'),
  target_quantile: number('targetQuantile').describe(
    'Used instead of the quantile that follows from the costs.',
  ),
  lead_time_days: number('leadTimeDays'),
  lead_time_deviation_days: number('leadTimeDeviationDays').describe(
    'Standard deviation of the lead time.',
  ),
  moq: number('moq'),
  lot_size: number('lotSize'),
  maximum_order: number('maximumOrder'),
  maximum_stock: number('maximumStock'),
  shelf_life_days: number('shelfLifeDays'),
  price_breaks: z
    .array(
      z.strictObject({
        from_quantity: z.number().min(LEAST_STEP).max(MOST_UNITS),
        unit_cost: money(),
      }),
    )
    .max(MOST_PRICE_BREAKS)
    .nullable()
    .describe(
      'What a unit costs in orders from a quantity on, in the currency of the unit cost; levels sku and sku+location only.',
    ),
  minimum_order_value: money()
    .nullable()
    .describe('The minimum value of an order; levels supplier and supplier+location only.'),
  minimum_order_quantity: number('minimumOrderQuantity').describe(
    'The minimum quantity of an order; levels supplier and supplier+location only.',
  ),
  free_freight_from: money()
    .nullable()
    .describe(
      'The value from which on an order has no freight; levels supplier and supplier+location only, with freight_cost.',
    ),
  freight_cost: money()
    .nullable()
    .describe(
      'The freight of an order below free_freight_from: lines are raised to that where it costs less.',
    ),
  order_cost: money()
    .nullable()
    .describe(
      'What an order costs whatever its lines: it waits where that is the cheaper, else its lines last longer; levels supplier and supplier+location only.',
    ),
  orders_by_location: z
    .boolean()
    .nullable()
    .describe(
      "Whether an order of the supplier is one location's, which must reach all of this by itself, instead of all locations'; level supplier only.",
    ),
  container_units: number('containerUnits').describe(
    'Units per container; levels supplier and supplier+location only.',
  ),
  order_days: z
    .array(z.int().min(1).max(7))
    .max(7)
    .nullable()
    .describe(
      'Weekdays on which orders are placed, 1 is Monday; levels supplier and supplier+location only.',
    ),
  responsible: person(
    'The buyer whose work the lines are. It gives no right to decide about them.',
  ),
  team_lead: person(
    'Who is told of lines that nobody decided by order_by; the buyer whom the rules name is of their team.',
  ),
}

/** The pairs that a rule applies to; the level decides which of these are required. */
const policyKey = {
  level: z.enum(POLICY_LEVELS),
  sku: code().max(100).nullable(),
  location: code().max(100).nullable(),
  supplier: code().max(100).nullable(),
  group: code().max(100).nullable(),
}

/** With which of its names no source has, once it is set. */
type FoundPolicy = StoredPolicy & { unknown?: PolicyKeyName[] }

const field = fieldsOf<FoundPolicy>()

/** An empty name stands for none. */
const named = (name: 'sku' | 'location' | 'supplier' | 'skuGroup') =>
  field(name, code().max(100).nullable(), (value) => value || null)

const toPriceBreak = ({ fromQuantity, unitCost }: PriceBreakOfRule) => ({
  from_quantity: fromQuantity,
  unit_cost: unitCost,
})

const unknownIn = (rule: FoundPolicy) =>
  rule.unknown?.map((name) => ({
    code: `unknown_${targetOf(name)}`,
    target: targetOf(name),
    message: message(`unknown_${name}`, { code: rule[name] }, 'en'),
  }))

const targetOf = (name: PolicyKeyName) => (name === 'skuGroup' ? 'group' : name)

const [Policy, toPolicy] = fieldMap<FoundPolicy>()('Policy', {
  level: policyKey.level,
  sku: named('sku'),
  location: named('location'),
  supplier: named('supplier'),
  group: named('skuGroup'),
  ...values,
  price_breaks: field('priceBreaks', values.price_breaks, (breaks) =>
    (breaks ?? []).length ? breaks!.map(toPriceBreak) : null,
  ),
  updated_at: z.iso.datetime(),
  updated_by: z.string(),
  warnings: field(
    'unknown',
    z
      .array(z.object({ code: z.string(), target: z.string(), message: z.string() }))
      .optional()
      .describe(
        'Of the answer to PUT: unknown_sku, unknown_location, unknown_supplier or unknown_group, where no source has ' +
          'it. The rule is stored, because it may come later.',
      ),
    (_, rule) => (rule.unknown?.length ? unknownIn(rule) : undefined),
  ),
})

const { level, ...optional } = { ...policyKey, ...values }

/** A rule as a caller gives it: a missing value means the same as null. */
const PolicyInput = z.strictObject({ level, ...z.object(optional).partial().shape })
type PolicyInput = z.infer<typeof PolicyInput>

/** What a rule is for, as the domain takes it. */
const fromPolicyKey = (key: {
  level?: PolicyLevel
  sku?: string | null
  location?: string | null
  supplier?: string | null
  group?: string | null
}) => ({
  level: key.level ?? null,
  sku: key.sku ?? null,
  location: key.location ?? null,
  supplier: key.supplier ?? null,
  skuGroup: key.group ?? null,
})

const fromPolicy = (input: PolicyInput): PolicyRule => ({
  ...fromPolicyKey(input),
  ...toElements(values, input),
  priceBreaks:
    input.price_breaks?.map(({ from_quantity: fromQuantity, unit_cost: unitCost }) => ({
      ...{ fromQuantity, unitCost },
    })) ?? null,
  level: input.level,
})

const scopes = ['policies:manage'] as const

const names = {
  sku: code().max(100).optional(),
  location: code().max(100).optional(),
  supplier: code().max(100).optional(),
  group: code().max(100).optional(),
}

const listPolicies = listEndpoint({
  path: '/policies',
  summary: 'Lists ordering rules',
  scopes,
  filters: { level: z.enum(POLICY_LEVELS).optional(), ...names },
  row: Policy,
  toJson: toPolicy,
  fetch: (page, key) => readPolicies({ filter: fromPolicyKey(key), ...page }),
})

const putPolicy = endpoint({
  method: 'put',
  path: '/policies',
  summary: 'Sets an ordering rule; values that are left out are removed',
  scopes,
  body: PolicyInput,
  example: { body: { level: 'supplier', supplier: 'S-7', review_period_days: 14 } },
  answers: { 200: Policy },
  json: async ({ body }) => toPolicy(await setPolicy(fromPolicy(body))),
})

const deletePolicy = endpoint({
  method: 'delete',
  path: '/policies',
  summary: 'Removes an ordering rule',
  scopes,
  query: z.strictObject({ level: z.enum(POLICY_LEVELS), ...names }),
  example: { query: { level: 'supplier', supplier: 'S-7' } },
  answers: { 204: null },
  errors: ['not_found'],
  json: ({ query }) => removePolicy({ ...fromPolicyKey(query), level: query.level }),
})

export const policyEndpoints = [listPolicies, putPolicy, deletePolicy]
