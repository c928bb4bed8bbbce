import { z } from 'zod'
import type { ProposalStatus } from '#cds-models/restock'
import type { Calculation as ServiceCalculation } from '../../../engine/proposal/index.ts'
import type { Proposal as ServiceProposal } from '../../store/proposal.ts'
import { fieldMap, fieldsOf } from '../http/field-map.ts'
import { toId } from '../http/ids.ts'

export type { ServiceCalculation, ServiceProposal }

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
const further = (name: keyof ServiceCalculation) => term(name, z.number().optional())

const calculation = fieldMap<ServiceCalculation>()({
  horizon_days: term('horizonDays', z.int()),
  lead_time_days: term('leadTimeDays', z.int()),
  review_period_days: term('reviewPeriodDays', z.int()),
  p10: term('p10', z.number()),
  p50: term('p50', z.number()),
  p90: term('p90', z.number()),
  target_quantile: term('targetQuantile', z.number()),
  target_stock: term('targetStock', z.number()),
  on_hand: term('onHand', z.number()),
  on_order: term('onOrder', z.number()),
  open_proposals: term('openProposals', z.number()),
  net_requirement: term('netRequirement', z.number()),
  moq: term('moq', z.number()),
  lot_size: term('lotSize', z.number()),
  quantity: term('quantity', z.number().describe('As calculated, before any edit.')),
  drivers: term('drivers', z.array(z.string())),
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
  backorders: further('backorders'),
  lead_time_safety: further('leadTimeSafety'),
  beyond_horizon: further('beyondHorizon'),
  on_order_later: further('onOrderLater'),
  supplier_minimum: further('supplierMinimum'),
  lead_time_deviation_days: further('leadTimeDeviationDays'),
  maximum_order: further('maximumOrder'),
  maximum_stock: further('maximumStock'),
  shelf_life_days: further('shelfLifeDays'),
  limit: further('limit'),
})

export const Calculation = z.object(calculation.shape).meta({ id: 'Calculation' })
export const toCalculation = calculation.toAnswer

const Newer = z
  .object({ quantity: z.int(), calculation: Calculation, at: z.iso.datetime() })
  .meta({ id: 'NewerCalculation' })

const field = fieldsOf<ServiceProposal>()

const proposal = fieldMap<ServiceProposal>()({
  id: field('ID', z.string(), (ID) => toId('prop', ID)),
  kind: field('kind', z.enum(['purchase', 'transfer'])),
  sku: field('sku', z.string()),
  location: field('location', z.string()),
  from_location: field(
    'fromLocation',
    z.string().nullable().describe('Where a transfer comes from.'),
  ),
  quantity: field('quantity', z.int()),
  rationale: field('rationale', z.string()),
  status: field('status', z.enum(PROPOSAL_STATUSES)),
  expires_at: field('expiresAt', z.iso.datetime()),
  created_at: field('createdAt', z.iso.datetime()),
  updated_at: field('updatedAt', z.iso.datetime()),
  version: field('version', z.int()),
  supplier: field('supplier', z.string().nullable()),
  unit_cost: field('unitCost', z.string().nullable()),
  value: field('value', z.string().nullable()),
  currency: field('currency', z.string().nullable()),
  order_by: field('orderBy', z.iso.date().nullable()),
  urgency: field('urgency', z.enum(['stocked_out', 'stockout_before_arrival', 'due', 'ahead'])),
  calculation: field('calculation', Calculation, toCalculation),
  newer: field(
    'newer',
    Newer.nullable().describe(
      'What a later run would propose, where a person has decided on or edited the quantity.',
    ),
    (newer) => newer && { ...newer, calculation: toCalculation(newer.calculation) },
  ),
  snoozed_until: field('snoozedUntil', z.iso.datetime().nullable()),
  decided_at: field('decidedAt', z.iso.datetime().nullable()),
  decided_by: field('decidedBy', z.string().nullable()),
  reason: field('reason', z.string().nullable()),
  superseded_by: field('supersededBy', z.string().nullable(), (ID) =>
    ID == null ? null : toId('prop', ID),
  ),
  flags: field(
    'flag',
    z
      .array(z.string())
      .describe(
        'not_seen_in_erp: it was approved, but no order of the ERP has referred to it in time.',
      ),
    (flag) => (flag ? [flag] : []),
  ),
})

export const Proposal = z.object(proposal.shape).meta({ id: 'Proposal' })
export const toProposal = proposal.toAnswer
