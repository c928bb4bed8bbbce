import { z } from 'zod'
import { toId } from './ids.ts'

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
] as const

const Calculation = z
  .object({
    horizon_days: z.int(),
    lead_time_days: z.int(),
    review_period_days: z.int(),
    p10: z.number(),
    p50: z.number(),
    p90: z.number(),
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
  })
  .meta({ id: 'Calculation' })

export const Proposal = z
  .object({
    id: z.string(),
    sku: z.string(),
    location: z.string(),
    quantity: z.int(),
    rationale: z.string(),
    status: z.enum(PROPOSAL_STATUSES),
    expires_at: z.iso.datetime(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    version: z.int(),
    supplier: z.string().nullable(),
    unit_cost: z.string().nullable(),
    value: z.string().nullable(),
    currency: z.string().nullable(),
    order_by: z.iso.date().nullable(),
    urgency: z.enum(['stocked_out', 'stockout_before_arrival', 'due', 'ahead']),
    calculation: Calculation,
    snoozed_until: z.iso.datetime().nullable(),
    decided_at: z.iso.datetime().nullable(),
    decided_by: z.string().nullable(),
    reason: z.string().nullable(),
    superseded_by: z.string().nullable(),
  })
  .meta({ id: 'Proposal' })

type Proposal = z.infer<typeof Proposal>
type Calculation = z.infer<typeof Calculation>

/** A proposal as ProposalsService answers it: numbers as numbers, money as decimal strings. */
export interface ServiceProposal {
  ID: number
  sku: string
  location: string
  supplier: string | null
  quantity: number
  unitCost: string | null
  value: string | null
  currency: string | null
  rationale: string
  status: Proposal['status']
  urgency: Proposal['urgency']
  orderBy: string | null
  calculation: ServiceCalculation
  createdAt: string
  updatedAt: string
  expiresAt: string
  snoozedUntil: string | null
  version: number
  decidedAt: string | null
  decidedBy: string | null
  reason: string | null
  supersededBy: number | null
}

interface ServiceCalculation {
  horizonDays: number
  leadTimeDays: number
  reviewPeriodDays: number
  p10: number
  p50: number
  p90: number
  targetQuantile: number
  targetStock: number
  onHand: number
  onOrder: number
  openProposals: number
  netRequirement: number
  moq: number
  lotSize: number
  quantity: number
  drivers: string[]
}

export const toProposal = (row: ServiceProposal): Proposal => ({
  id: toId('prop', row.ID),
  sku: row.sku,
  location: row.location,
  quantity: row.quantity,
  rationale: row.rationale,
  status: row.status,
  expires_at: row.expiresAt,
  created_at: row.createdAt,
  updated_at: row.updatedAt,
  version: row.version,
  supplier: row.supplier ?? null,
  unit_cost: row.unitCost ?? null,
  value: row.value ?? null,
  currency: row.currency ?? null,
  order_by: row.orderBy ?? null,
  urgency: row.urgency,
  calculation: toCalculation(row.calculation),
  snoozed_until: row.snoozedUntil ?? null,
  decided_at: row.decidedAt ?? null,
  decided_by: row.decidedBy ?? null,
  reason: row.reason ?? null,
  superseded_by: row.supersededBy == null ? null : toId('prop', row.supersededBy),
})

const toCalculation = (row: ServiceCalculation): Calculation => ({
  horizon_days: row.horizonDays,
  lead_time_days: row.leadTimeDays,
  review_period_days: row.reviewPeriodDays,
  p10: row.p10,
  p50: row.p50,
  p90: row.p90,
  target_quantile: row.targetQuantile,
  target_stock: row.targetStock,
  on_hand: row.onHand,
  on_order: row.onOrder,
  open_proposals: row.openProposals,
  net_requirement: row.netRequirement,
  moq: row.moq,
  lot_size: row.lotSize,
  quantity: row.quantity,
  drivers: row.drivers,
})
