import type { ProposalStatus } from '#cds-models/restock'
import type { Calculation, Urgency } from '../../engine/proposal/index.ts'
import { toDecimal, toNumber } from '../store/numbers.ts'

export type { ProposalStatus }

/** A proposal as the service answers it: numbers as numbers, money as decimal strings. */
export interface Proposal {
  ID: number
  source: number
  series: number
  sku: string
  location: string
  supplier: string | null
  quantity: number
  unitCost: string | null
  value: string | null
  currency: string | null
  rationale: string
  status: ProposalStatus
  urgency: Urgency
  orderBy: string
  calculation: Calculation
  createdAt: string
  updatedAt: string
  expiresAt: string
  snoozedUntil: string | null
  version: number
  touched: boolean
  decidedAt: string | null
  decidedBy: string | null
  firstApprover: string | null
  reason: string | null
  supersededBy: number | null
  openKey: string | null
}

type Row = Record<string, unknown>

const NUMBERS = [
  'horizonDays',
  'leadTimeDays',
  'reviewPeriodDays',
  'p10',
  'p50',
  'p90',
  'targetQuantile',
  'targetStock',
  'onHand',
  'onOrder',
  'openProposals',
  'netRequirement',
  'moq',
  'lotSize',
  'quantity',
] as const

/** A row of restock.Proposals as a Proposal. */
export function toProposal(row: Row): Proposal {
  const { source_ID, urgencyRank, ...rest } = row
  const calculation: Row = {}
  for (const name of NUMBERS) calculation[name] = Number(row[`calculation_${name}`])
  const drivers = String(row.calculation_drivers ?? '')
  calculation.drivers = drivers ? drivers.split(',') : []
  for (const key of Object.keys(rest)) if (key.startsWith('calculation_')) delete rest[key]
  return {
    ...rest,
    source: Number(source_ID),
    quantity: Number(row.quantity),
    unitCost: costOf(row.unitCost),
    value: toDecimal(row.value, 2),
    supersededBy: toNumber(row.supersededBy),
    touched: Boolean(row.touched),
    calculation,
  } as unknown as Proposal
}

/** At least two places, more only where they are used. */
function costOf(value: unknown): string | null {
  const four = toDecimal(value, 4)
  return four && four.replace(/(\.\d\d\d?)0+$/, '$1').replace(/(\.\d\d)0$/, '$1')
}

/** A calculation as the columns of restock.Proposals. */
export function calculationColumns({ drivers, ...numbers }: Calculation) {
  const columns: Row = { calculation_drivers: drivers.join(',') }
  for (const name of NUMBERS) columns[`calculation_${name}`] = numbers[name]
  return columns
}
