import { z } from 'zod'
import type { ProposalStatus } from '#cds-models/restock'
import { ABC_CLASSES } from '../../../../engine/index.ts'
import {
  amount,
  type Calculation as ServiceCalculation,
  URGENCIES,
} from '../../../../engine/proposal/index.ts'
import type {
  CallOff,
  ValueContract as FoundValueContract,
  Proposal as ServiceProposal,
  Recommendation as FoundRecommendation,
} from '../../../domain/proposals/index.ts'
import { fieldMap, fieldsOf, toId } from '../http/field-map.ts'

export const PROPOSAL_STATUSES = [
  'pending',
  'approved',
  'rejected',
  'snoozed',
  'superseded',
  'expired',
  'awaiting_second_approval',
  'ordered',
  'cancelled',
] as const satisfies readonly ProposalStatus[]

const term = fieldsOf<ServiceCalculation>()
/** A term or limit that not every sum has. */
const further = () => z.number().optional()

const LeadTimeMeasured = z
  .object({
    of: z
      .enum(['sku', 'supplier'])
      .describe('Receipts of the SKU, or the planned days and the usual delay of the supplier.'),
    days: z.number().describe('Median from order to receipt.'),
    deviation_days: z.number(),
    receipts: z.int().describe('Order lines of the last year behind it.'),
    share_late: z.number().nullable(),
    late_days: z.number().nullable().describe('Median delay of the late ones.'),
  })
  .meta({ id: 'MeasuredLeadTime' })

const toLeadTimeMeasured = (measured: ServiceCalculation['leadTimeMeasured']) =>
  measured && {
    ...{ of: measured.of, days: measured.days, deviation_days: measured.deviationDays },
    ...{
      receipts: measured.receipts,
      share_late: measured.shareLate,
      late_days: measured.lateDays,
    },
  }

const Price = z
  .object({ from_quantity: z.number(), unit_cost: z.string() })
  .meta({ id: 'Price', description: 'What a unit costs in orders from a quantity on.' })

const toPrice = ({ from, unitCost }: NonNullable<ServiceCalculation['prices']>[number]) => ({
  from_quantity: from,
  unit_cost: amount(unitCost),
})

const PriceBreak = z
  .object({
    units: z.number().describe('What it adds to the rounded quantity.'),
    from_quantity: z.number(),
    unit_cost: z.string(),
    unit_cost_before: z.string(),
    saving: z.string().describe('What the whole order costs less than at the price before.'),
    carrying_days: z.number().describe('Days that the added units come too early, on average.'),
    carrying_rate: z.number().describe('Yearly, as a share of the unit cost.'),
    carrying_cost: z.string(),
  })
  .meta({ id: 'PriceBreak' })

const toPriceBreak = (term: ServiceCalculation['priceBreak']) =>
  term && {
    ...{ units: term.units, from_quantity: term.from, unit_cost: amount(term.unitCost) },
    ...{ unit_cost_before: amount(term.unitCostBefore), saving: amount(term.saving) },
    ...{ carrying_days: term.carryingDays, carrying_rate: term.carryingRate },
    carrying_cost: amount(term.carryingCost),
  }

const FreeFreight = z
  .object({
    units: z.number().describe('What is brought forward.'),
    from_value: z.string().describe('From this value on the order of the supplier has no freight.'),
    freight_cost: z.string().describe('The freight that the order of the supplier saves.'),
    carrying_cost: z.string().describe('Of the units of this line.'),
  })
  .meta({ id: 'FreeFreight' })

const toFreeFreight = (term: ServiceCalculation['freeFreight']) =>
  term && {
    ...{ units: term.units, from_value: amount(term.from), freight_cost: amount(term.freightCost) },
    carrying_cost: amount(term.carryingCost),
  }

const SupplierWait = z
  .object({
    days: z.int().describe('Until the next chance to order.'),
    cost_of_waiting: z.string().describe('Of all lines of the order together, until then.'),
    saving: z
      .string()
      .describe('What an order less often saves in these days: its cost and what its lines cost.'),
  })
  .meta({ id: 'SupplierWait', description: "Why the supplier's order waits, where it does." })

const toSupplierWait = (term: ServiceCalculation['supplierWait']) =>
  term && {
    days: term.days,
    ...{ cost_of_waiting: amount(term.costOfWaiting), saving: amount(term.saving) },
  }

const LastLot = z
  .object({
    units: z.number().describe('By how much the order could have been smaller; else all of it.'),
    chance: z
      .number()
      .describe('That a unit of it is wanted between its arrival and that of the next order.'),
    on_shelf: z.number().describe('The share of days that a unit of it lies on the shelf.'),
    days: z.number(),
    stockout_cost_share: z.number(),
    carrying_cost_share_per_year: z.number(),
    saving: z.string().describe('units · chance · stockout_cost_share · unit cost.'),
    carrying_cost: z
      .string()
      .describe('units · on_shelf · carrying_cost_share_per_year · days / 365 · unit cost.'),
  })
  .meta({ id: 'LastLot', description: 'What the last lot buys, by the costs in force.' })

const toLastLot = (term: ServiceCalculation['lastLot']) =>
  term && {
    ...{ units: term.units, chance: term.chance, on_shelf: term.onShelf, days: term.days },
    stockout_cost_share: term.stockoutRate,
    carrying_cost_share_per_year: term.carryingRate,
    ...{ saving: amount(term.saving), carrying_cost: amount(term.carryingCost) },
  }

const ForecastOverrideTerm = z
  .object({
    p10: z.number(),
    p50: z.number(),
    p90: z.number(),
    changes: z.array(
      z.object({
        override_id: z.string(),
        percent: z.number().nullable(),
        units: z.number().nullable(),
        reason: z.string(),
      }),
    ),
  })
  .meta({ id: 'ForecastOverrideTerm' })

const toForecastOverrideTerm = (term: ServiceCalculation['forecastOverride']) =>
  term && {
    ...{ p10: term.p10, p50: term.p50, p90: term.p90 },
    changes: term.changes.map(({ override, ...change }) => ({
      override_id: toId('ovr', override),
      ...change,
    })),
  }

export const [Calculation, toCalculation] = fieldMap<ServiceCalculation>()('Calculation', {
  horizon_days: z.int(),
  lead_time_days: z.int(),
  review_period_days: z.int(),
  closed_days: further().describe(
    'Days that closures of supplier and location add to lead time and review period: all are the horizon, up to 90.',
  ),
  review_closed_days: further().describe(
    'Of review_period_days: by how much closed days postpone the order after this one.',
  ),
  p10: z.number(),
  p50: z.number(),
  p90: z.number(),
  forecast_override: term(
    'forecastOverride',
    ForecastOverrideTerm.optional().describe(
      'Where planners say something else: the forecast without that, and their changes.',
    ),
    toForecastOverrideTerm,
  ),
  target_quantile: z.number(),
  target_stock: z.number(),
  on_hand: z.number(),
  on_order: z.number(),
  open_proposals: z.number(),
  net_requirement: z.number(),
  moq: z.number(),
  lot_size: z.number(),
  quantity: z.number().describe('As calculated, before any edit.'),
  drivers: z.array(z.string()),
  rules: term(
    'rules',
    z
      .record(z.string(), z.string())
      .describe('Where each value comes from: erp, configured, or the name of a policy.'),
    (rules) => rules ?? {},
  ),
  exceptions: term(
    'exceptions',
    z.array(z.object({ code: z.string(), message: z.string() })),
    (exceptions) => (exceptions ?? []).map(({ code, message }) => ({ code, message })),
  ),
  backorders: further().describe('+ in the sum: due to customers and not delivered.'),
  reserved: further().describe('+ in the sum: promised beyond what the forecast expects.'),
  drafts: further().describe(
    '− in the sum: requisitions and other drafts of the ERP that count as coming: see /drafts.',
  ),
  expiring: further().describe('+ in the sum: on hand, but expected to expire unsold.'),
  in_inspection: further().describe('− in the sum: in quality inspection.'),
  lead_time_safety: further(),
  beyond_horizon: further(),
  covered_later: further(),
  lost_before_arrival: further().describe(
    '− in the sum: demand that finds no stock before the order arrives and is lost.',
  ),
  on_order_later: further(),
  price_break: term('priceBreak', PriceBreak.optional(), toPriceBreak),
  supplier_minimum: further(),
  free_freight: term('freeFreight', FreeFreight.optional(), toFreeFreight),
  supplier_wait: term('supplierWait', SupplierWait.optional(), toSupplierWait),
  last_lot: term('lastLot', LastLot.optional(), toLastLot),
  prices: term('prices', z.array(Price).optional(), (prices) => prices?.map(toPrice)),
  lead_time_deviation_days: further(),
  lead_time_planned_days: further(),
  lead_time_measured: term('leadTimeMeasured', LeadTimeMeasured.optional(), toLeadTimeMeasured),
  maximum_order: further(),
  maximum_stock: further(),
  shelf_life_days: further(),
  limit: further(),
  phase_out_on: z.iso
    .date()
    .optional()
    .describe('Demand ends on this day, before the days that the order would last.'),
  stale_since: z.iso
    .date()
    .optional()
    .describe('The day of demand or stock that is too old to order by.'),
})

const Newer = z
  .object({ quantity: z.int(), calculation: Calculation, at: z.iso.datetime() })
  .meta({ id: 'NewerCalculation' })

const HandedOver = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    by: z.string(),
    changed: z
      .boolean()
      .describe('It was cancelled since: the order must be taken back in the ERP too.'),
  })
  .meta({ id: 'HandedOver' })

const toHandedOver = (ID: number | null, { takenAt, takenBy, status }: ServiceProposal) =>
  ID === null
    ? null
    : {
        ...{ id: toId('ho', ID), at: takenAt ?? '', by: takenBy ?? '' },
        changed: status !== 'approved' && status !== 'ordered',
      }

const Contract = z
  .object({
    document: z.string(),
    line: z.string(),
    valid_until: z.iso.date().nullable(),
    unit_cost: z.string().nullable().describe('What a base unit costs by it.'),
    currency: z.string().nullable().describe('Of unit_cost. null: that of the proposal.'),
    quantity: z.number().describe('All that was agreed.'),
    remaining: z
      .number()
      .describe('What it has left for this proposal, once approved and older ones have theirs.'),
    called: z.number().describe('What of the proposal it has left.'),
    over: z.number().describe('What of the proposal it has not.'),
  })
  .meta({ id: 'ContractOfProposal' })

const toContract = ({ contract, left, called, over }: CallOff) => ({
  ...{ document: contract.document, line: contract.line, valid_until: contract.due },
  ...{ unit_cost: contract.unitCost, currency: contract.currency, quantity: contract.quantity },
  ...{ remaining: left, called, over },
})

const ValueContract = z
  .object({
    document: z.string(),
    line: z.string(),
    valid_until: z.iso.date().nullable(),
    currency: z.string().nullable().describe('null: that of the proposal.'),
    agreed_value: z.string().describe('All that was agreed.'),
    remaining_value: z
      .string()
      .describe('What the ERP says is left of it, of all orders together.'),
  })
  .meta({ id: 'ValueContractOfProposal' })

const toValueContract = ({ document, line, due, currency, ...money }: FoundValueContract) => ({
  ...{ document, line, valid_until: due, currency },
  ...{ agreed_value: money.agreedValue, remaining_value: money.remainingValue },
})

const [Recommendation, toRecommendation] = fieldMap<FoundRecommendation>()('Recommendation', {
  action: z.enum(['approve', 'reject']),
  quantity: z.int().nullable().describe('To be approved.'),
  reason: z.string().nullable().describe('The code of a rejection.'),
  comment: z.string().describe('Why, in words of whoever holds the key.'),
  by: z.string().describe('The name of the key.'),
  version: z.int().describe('Of the proposal that it is about.'),
  at: z.iso.datetime(),
})

/** Of a pair, by the value of its demand of the past year within its source. */
export const abcClass = () => z.enum(ABC_CLASSES)

const field = fieldsOf<ServiceProposal>()

export const [Proposal, toProposal] = fieldMap<ServiceProposal>()('Proposal', {
  id: field('ID', z.string(), (ID) => toId('prop', ID)),
  source_id: field('source', z.string(), (source) => toId('src', source)),
  kind: z.enum(['purchase', 'transfer']),
  sku: z.string(),
  location: z.string(),
  from_location: z.string().nullable().describe('Where a transfer comes from.'),
  abc_class: field(
    'abcClass',
    abcClass()
      .nullable()
      .describe('By the value of demand; null: the pair has no unit cost, or no class yet.'),
    (found) => ABC_CLASSES.find((each) => each === found) ?? null,
  ),
  quantity: z.int(),
  unit: field(
    'orderUnits',
    z.string().nullable().describe('The base unit, in which all quantities are.'),
    (units) => units?.unit ?? null,
  ),
  order_quantity: field(
    'orderUnits',
    z
      .string()
      .describe('The quantity in the unit in which the supplier takes orders: an exact decimal.'),
    (units, { quantity }) => units?.orderQuantity ?? String(quantity),
  ),
  order_unit: field(
    'orderUnits',
    z.string().nullable().describe('null: it is ordered in base units.'),
    (units) => units?.orderUnit ?? null,
  ),
  units_per_order_unit: field('orderUnits', z.number(), (units) => units?.unitsPerOrderUnit ?? 1),
  order_price: field(
    'orderUnits',
    z.string().nullable().describe('Of one order unit.'),
    (units) => units?.orderPrice ?? null,
  ),
  supplier_sku: field(
    'orderUnits',
    z.string().nullable().describe("The supplier's own number of the SKU."),
    (units) => units?.supplierSku ?? null,
  ),
  contract: field(
    'callOff',
    Contract.nullable().describe(
      'The contract that the order is called off from: the oldest that is open and has something left. See /drafts.',
    ),
    (callOff) => (callOff ? toContract(callOff) : null),
  ),
  value_contract: field(
    'valueContract',
    ValueContract.nullable().describe(
      'Where contract is null: the oldest contract over money, not a quantity, that is open and has something left. ' +
        'It bounds no quantity.',
    ),
    (contract) => (contract ? toValueContract(contract) : null),
  ),
  rationale: z.string(),
  status: z.enum(PROPOSAL_STATUSES),
  expires_at: z.iso.datetime(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  version: z.int(),
  supplier: z.string().nullable(),
  unit_cost: z.string().nullable(),
  value: z.string().nullable(),
  value_at_risk: z
    .string()
    .nullable()
    .describe('Expected cost of waiting until the next review, less that of ordering now.'),
  currency: z.string().nullable(),
  order_by: z.iso.date().nullable(),
  urgency: z.enum(URGENCIES),
  calculation: field('calculation', Calculation, toCalculation),
  newer: field(
    'newer',
    Newer.nullable().describe(
      'What a later run would propose, where a person has decided on or edited the quantity.',
    ),
    (newer) => newer && { ...newer, calculation: toCalculation(newer.calculation) },
  ),
  recommendation: field(
    'recommendation',
    Recommendation.nullable().describe(
      'A decision that a key has drafted for whoever decides. null: none, or somebody has decided since.',
    ),
    (recommendation) => recommendation && toRecommendation(recommendation),
  ),
  snoozed_until: z.iso.datetime().nullable(),
  decided_at: z.iso.datetime().nullable(),
  decided_by: z.string().nullable(),
  reason: z.string().nullable(),
  superseded_by: field('supersededBy', z.string().nullable(), (ID) =>
    ID == null ? null : toId('prop', ID),
  ),
  flags: field(
    'flag',
    z
      .array(z.string())
      .describe(
        'not_seen_in_erp: it was approved, but no order of it was found in the ERP in time. ' +
          'not_counted: for so long that it is no supply any more.',
      ),
    (flag) => (flag ? [flag] : []),
  ),
  handed_over: field(
    'handOver',
    HandedOver.nullable().describe("By whom and when it was last taken to the ERP's own import."),
    toHandedOver,
  ),
  erp_order: field(
    'erpOrder',
    z.string().nullable().describe('The order of the ERP that it became.'),
  ),
  matched_by: z
    .enum(['reference', 'likeness'])
    .nullable()
    .describe(
      'How that order was found: it names the proposal, or has its supplier, SKU, location, quantity and day.',
    ),
})
