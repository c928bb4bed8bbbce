import { z } from 'zod'
import { toId } from '../http/ids.ts'

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

/** Further terms and limits, each only where it counts. */
const TERMS = {
  backorders: 'backorders',
  lead_time_safety: 'leadTimeSafety',
  beyond_horizon: 'beyondHorizon',
  on_order_later: 'onOrderLater',
  supplier_minimum: 'supplierMinimum',
  lead_time_deviation_days: 'leadTimeDeviationDays',
  maximum_order: 'maximumOrder',
  maximum_stock: 'maximumStock',
  shelf_life_days: 'shelfLifeDays',
  limit: 'limit',
} as const
type Term = keyof typeof TERMS
const TERM_NAMES = Object.keys(TERMS) as Term[]

const terms = Object.fromEntries(TERM_NAMES.map((name) => [name, z.number().optional()])) as Record<
  Term,
  z.ZodOptional<z.ZodNumber>
>

export const Calculation = z
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
    rules: z
      .record(z.string(), z.string())
      .describe('Which rule gave a value: erp, configured, or a policy by its name.'),
    exceptions: z.array(z.object({ code: z.string(), message: z.string() })),
    ...terms,
  })
  .meta({ id: 'Calculation' })

const Newer = z
  .object({ quantity: z.int(), calculation: Calculation, at: z.iso.datetime() })
  .meta({ id: 'NewerCalculation' })

export const Proposal = z
  .object({
    id: z.string(),
    kind: z.enum(['purchase', 'transfer']),
    sku: z.string(),
    location: z.string(),
    from_location: z.string().nullable().describe('Where a transfer comes from.'),
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
    newer: Newer.nullable().describe(
      'What a later run would propose, where a person’s quantity stands.',
    ),
    snoozed_until: z.iso.datetime().nullable(),
    decided_at: z.iso.datetime().nullable(),
    decided_by: z.string().nullable(),
    reason: z.string().nullable(),
    superseded_by: z.string().nullable(),
    flags: z
      .array(z.string())
      .describe('not_seen_in_erp: approved, and no order of the ERP refers to it in time.'),
  })
  .meta({ id: 'Proposal' })

type Proposal = z.infer<typeof Proposal>
type Calculation = z.infer<typeof Calculation>

/** A proposal as ProposalsService answers it: numbers as numbers, money as decimal strings. */
export interface ServiceProposal {
  ID: number
  kind: Proposal['kind']
  sku: string
  location: string
  fromLocation: string | null
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
  newer: { quantity: number; calculation: ServiceCalculation; at: string } | null
  createdAt: string
  updatedAt: string
  expiresAt: string
  snoozedUntil: string | null
  version: number
  decidedAt: string | null
  decidedBy: string | null
  reason: string | null
  supersededBy: number | null
  flag: string | null
}

type ServiceTerms = Partial<Record<(typeof TERMS)[Term], number>>

export interface ServiceCalculation extends ServiceTerms {
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
  rules?: Record<string, string>
  exceptions?: { code: string; message: string }[]
}

export const toProposal = (row: ServiceProposal): Proposal => ({
  id: toId('prop', row.ID),
  kind: row.kind,
  sku: row.sku,
  location: row.location,
  from_location: row.fromLocation ?? null,
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
  newer: row.newer && { ...row.newer, calculation: toCalculation(row.newer.calculation) },
  snoozed_until: row.snoozedUntil ?? null,
  decided_at: row.decidedAt ?? null,
  decided_by: row.decidedBy ?? null,
  reason: row.reason ?? null,
  superseded_by: row.supersededBy == null ? null : toId('prop', row.supersededBy),
  flags: row.flag ? [row.flag] : [],
})

export const toCalculation = (row: ServiceCalculation): Calculation => ({
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
  rules: row.rules ?? {},
  exceptions: (row.exceptions ?? []).map(({ code, message }) => ({ code, message })),
  ...toTerms(row),
})

const toTerms = (row: ServiceTerms) =>
  Object.fromEntries(
    TERM_NAMES.flatMap((name) => {
      const value = row[TERMS[name]]
      return value == null ? [] : [[name, value]]
    }),
  ) as Partial<Record<Term, number>>
