import cds from '@sap/cds'
import type * as Model from '#cds-models/restock'
import type { Calculation } from '../../engine/proposal/index.ts'
import type { Row } from '../store/entities.ts'
import { toDecimal, toNumber } from '../store/numbers.ts'
import type { NewerCalculation, Proposal } from '../store/proposal.ts'

export type { NewerCalculation, Proposal }

export type ProposalRow = Row<Model.Proposal>

/** What is written to a row; money as decimal strings, days as any text. */
export interface ProposalColumns extends Partial<
  Omit<ProposalRow, 'unitCost' | 'value' | 'valueAtRisk' | 'orderBy' | 'asOf'>
> {
  orderBy?: string | null
  asOf?: string | null
  unitCost?: string | null
  value?: string | null
  valueAtRisk?: string | null
}

type NumberName = Exclude<keyof Row<Model.Calculation>, 'drivers' | 'further'>
type NumberColumn = `calculation_${NumberName}`

let numbers: [NumberName, NumberColumn][] | undefined

/** The numbers of every calculation with their columns: the elements of restock.Calculation but its texts. */
const numbersOfCalculation = () => (numbers ??= readNumbers())

function readNumbers() {
  const { elements } = cds.model!.definitions['restock.Calculation'] as object as {
    elements: object
  }
  const { drivers: _d, further: _f, ...rest } = elements as { drivers: object; further: object }
  const names = Object.keys(rest) as NumberName[]
  return names.map((name): [NumberName, NumberColumn] => [name, `calculation_${name}`])
}

/** A row of restock.Proposals as a Proposal. */
export function toProposal(row: ProposalRow): Proposal {
  const { source_ID, urgencyRank: _, calculation_drivers, calculation_further, ...rest } = row
  const further = calculation_further ? parse<Partial<Calculation>>(calculation_further) : {}
  const sum: Partial<Calculation> = {}
  for (const [name, column] of numbersOfCalculation()) {
    sum[name] = Number(rest[column])
    delete (rest as Partial<ProposalRow>)[column]
  }
  return {
    ...rest,
    source: Number(source_ID),
    quantity: Number(row.quantity),
    unitCost: costOf(row.unitCost),
    value: toDecimal(row.value, 2),
    valueAtRisk: toDecimal(row.valueAtRisk, 2),
    supersededBy: toNumber(row.supersededBy),
    touched: Boolean(row.touched),
    kind: row.kind ?? 'purchase',
    newer: row.newer ? parse<NewerCalculation>(row.newer) : null,
    calculation: { ...sum, drivers: calculation_drivers ?? [], ...further },
  } as Proposal
}

/** At least two places, more only where they are used. */
function costOf(value: unknown): string | null {
  const four = toDecimal(value, 4)
  return four && four.replace(/(\.\d\d\d?)0+$/, '$1').replace(/(\.\d\d)0$/, '$1')
}

const parse = <T>(json: string) => JSON.parse(json) as T

/** A calculation as the columns of restock.Proposals; what not every sum has stands in one of them. */
export function calculationColumns({ drivers, ...calculation }: Calculation) {
  const columns: ProposalColumns = { calculation_drivers: drivers }
  const further: Partial<Calculation> = { ...calculation }
  for (const [name, column] of numbersOfCalculation()) {
    columns[column] = calculation[name]
    delete further[name]
  }
  const hasFurther = Object.values(further).some((value) => value !== undefined)
  columns.calculation_further = hasFurther ? JSON.stringify(further) : null
  return columns
}

/** Whether two calculations are the same number for number; which rule or receipts gave a value is no number. */
export function sameCalculation(a: Calculation, b: Calculation): boolean {
  return (
    numbersOfCalculation().every(([name]) => a[name] === b[name]) &&
    JSON.stringify(furtherOf(a)) === JSON.stringify(furtherOf(b))
  )
}

function furtherOf({ rules: _rules, leadTimeMeasured, ...calculation }: Calculation) {
  const further: Record<string, unknown> = {
    ...calculation,
    leadTimeMeasured: leadTimeMeasured?.days,
  }
  for (const [name] of numbersOfCalculation()) delete further[name]
  return Object.entries(further)
    .filter(([, value]) => value !== undefined)
    .sort(([x], [y]) => (x < y ? -1 : 1))
}
