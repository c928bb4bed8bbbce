import cds from '@sap/cds'
import { type Calculation, unitCostAt } from '../../../engine/proposal/index.ts'
import { toDecimal, toNumber } from '../../base/database/rows.ts'
import type {
  CalculationColumn,
  NewerCalculation,
  NumberColumn,
  Proposal,
  ProposalRow,
  Recommendation,
} from './stored/proposal.ts'

export type { CalculationColumn, NewerCalculation, Proposal, ProposalRow }

/** The columns of a row as they are written: money as decimal strings, days as any text. */
export interface ProposalColumns extends Partial<
  Omit<ProposalRow, 'unitCost' | 'value' | 'valueAtRisk' | 'orderBy' | 'asOf'>
> {
  orderBy?: string | null
  asOf?: string | null
  unitCost?: string | null
  value?: string | null
  valueAtRisk?: string | null
}

type NumberName = NumberColumn extends `calculation_${infer Name}` ? Name : never

let numbers: Map<NumberName, NumberColumn> | undefined

/** The columns of numbers that every calculation has: the elements of restock.Calculation without its texts. */
const numbersOfCalculation = () => (numbers ??= readNumbers())

export const calculationColumnNames = (): CalculationColumn[] => [
  ...numbersOfCalculation().values(),
  'calculation_drivers',
  'calculation_further',
]

function readNumbers() {
  const { elements } = cds.model!.definitions['restock.Calculation'] as object as {
    elements: object
  }
  const { drivers: _d, further: _f, ...rest } = elements as { drivers: object; further: object }
  const names = Object.keys(rest) as NumberName[]
  return new Map(names.map((name): [NumberName, NumberColumn] => [name, `calculation_${name}`]))
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
    recommendation: row.recommendation ? parse<Recommendation>(row.recommendation) : null,
    calculation: { ...sum, drivers: calculation_drivers ?? [], ...further },
  } as Proposal
}

/** With at least two decimals, and more only if they are used. */
export function costOf(value: unknown): string | null {
  const four = toDecimal(value, 4)
  return four && four.replace(/(\.\d\d\d?)0+$/, '$1').replace(/(\.\d\d)0$/, '$1')
}

const parse = <T>(json: string) => JSON.parse(json) as T

/** The columns of a calculation. What only some calculations have is stored together as JSON in one of them. */
export function calculationColumns({ drivers, ...calculation }: Calculation) {
  const columns: ProposalColumns = { calculation_drivers: drivers }
  for (const [name, column] of numbersOfCalculation()) columns[column] = calculation[name]
  columns.calculation_further = furtherText(calculation)
  return columns
}

/** Whether it is set, and has no column of its own. */
function isFurther([name, value]: [string, unknown]): boolean {
  const own: ReadonlyMap<string, unknown> = numbersOfCalculation()
  return value !== undefined && !own.has(name)
}

function furtherText(calculation: Omit<Calculation, 'drivers'>): string | null {
  const further = Object.entries(calculation).filter(isFurther)
  return further.length > 0 ? JSON.stringify(Object.fromEntries(further)) : null
}

/** Whether a row already holds this calculation, compared as text. */
export function isCalculationOf(
  row: Pick<ProposalRow, CalculationColumn>,
  { drivers, ...calculation }: Calculation,
): boolean {
  for (const [name, column] of numbersOfCalculation()) {
    if (Number(row[column]) !== calculation[name]) return false
  }
  return (
    row.calculation_further === furtherText(calculation) &&
    String(row.calculation_drivers ?? []) === String(drivers)
  )
}

/** Whether two calculations have the same numbers; where a value comes from does not matter. */
export function sameCalculation(a: Calculation, b: Calculation): boolean {
  return (
    [...numbersOfCalculation().keys()].every((name) => a[name] === b[name]) &&
    JSON.stringify(furtherOf(a)) === JSON.stringify(furtherOf(b))
  )
}

const furtherOf = ({ rules: _rules, leadTimeMeasured, ...calculation }: Calculation) =>
  Object.entries({ ...calculation, leadTimeMeasured: leadTimeMeasured?.days })
    .filter(isFurther)
    .sort(([x], [y]) => (x < y ? -1 : 1))

/** A SKU at a location. */
export interface Pair {
  sku: string
  location: string
}

/** A text that identifies a pair within a source. */
export const pairKey = ({ sku, location }: Pair) => `${sku}\u0000${location}`

/** The condition that a column has a value of one of these pairs, or one of the further values. */
export const isOneOf = <P>(pairs: readonly P[], of: (pair: P) => string, ...further: string[]) => ({
  in: [...new Set([...further, ...pairs.map(of)])],
})

/** A condition that all these pairs meet, and perhaps others with the same SKUs and locations; undefined without pairs. */
export const whereOfPairs = (pairs?: readonly Pair[]) =>
  pairs && {
    sku: isOneOf(pairs, ({ sku }) => sku),
    location: isOneOf(pairs, ({ location }) => location),
  }

/**
 * The cost of a unit in an order of this quantity, as a decimal string; null if unknown.
 * @param unitCost the price if it does not depend on the quantity
 */
export function unitCostOf(
  unitCost: string | null,
  { prices }: Pick<Calculation, 'prices'>,
  quantity: number,
): string | null {
  if (!prices?.length) return unitCost
  const cost = unitCostAt(quantity, { unitCost: null, breaks: prices })
  return cost === null ? null : String(cost)
}
