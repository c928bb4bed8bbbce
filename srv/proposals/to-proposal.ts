import type { Calculation } from '../../engine/proposal/index.ts'
import type { Newer, Proposal } from '../store/proposal.ts'
import { toDecimal, toNumber } from '../store/numbers.ts'

export type { Newer, Proposal }

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
  if (row.calculation_further) Object.assign(calculation, parse(row.calculation_further))
  for (const key of Object.keys(rest)) if (key.startsWith('calculation_')) delete rest[key]
  return {
    ...rest,
    source: Number(source_ID),
    quantity: Number(row.quantity),
    unitCost: costOf(row.unitCost),
    value: toDecimal(row.value, 2),
    supersededBy: toNumber(row.supersededBy),
    touched: Boolean(row.touched),
    kind: row.kind ?? 'purchase',
    newer: row.newer ? parse(row.newer) : null,
    calculation,
  } as unknown as Proposal
}

/** At least two places, more only where they are used. */
function costOf(value: unknown): string | null {
  const four = toDecimal(value, 4)
  return four && four.replace(/(\.\d\d\d?)0+$/, '$1').replace(/(\.\d\d)0$/, '$1')
}

const parse = (json: unknown) => JSON.parse(String(json))

/** A calculation as the columns of restock.Proposals; what not every sum has stands in one of them. */
export function calculationColumns({ drivers, ...calculation }: Calculation) {
  const columns: Row = { calculation_drivers: drivers.join(',') }
  const further: Row = { ...calculation }
  for (const name of NUMBERS) {
    columns[`calculation_${name}`] = calculation[name]
    delete further[name]
  }
  const hasFurther = Object.values(further).some((value) => value !== undefined)
  columns.calculation_further = hasFurther ? JSON.stringify(further) : null
  return columns
}

/** Whether two calculations are the same number for number; which rule gave a value is no number. */
export function sameCalculation(a: Calculation, b: Calculation): boolean {
  return (
    NUMBERS.every((name) => a[name] === b[name]) &&
    JSON.stringify(furtherOf(a)) === JSON.stringify(furtherOf(b))
  )
}

function furtherOf({ rules: _rules, ...calculation }: Calculation) {
  const further: Row = { ...calculation }
  for (const name of NUMBERS) delete further[name]
  return Object.entries(further)
    .filter(([, value]) => value !== undefined)
    .sort(([x], [y]) => (x < y ? -1 : 1))
}
