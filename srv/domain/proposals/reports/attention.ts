// Which lines deserve a look of their own: those with which waiting costs less than a line is worth are shown, and decided, as
// one by supplier; those that need thought are marked.
import { settings } from '../../../base/settings/config.ts'
import { Proposals, readAs } from '../../../base/database/entities.ts'
import { rowsOfReader } from '../readers.ts'
import { isOpenPurchase } from './open-orders.ts'
import { within } from './value-report.ts'

type Stored = number | string | null | undefined

/** Waiting costs less than a line is worth, and so little money is at stake that it needs no thought; false where unknown. */
export const isSmall = ({ valueAtRisk, value }: { valueAtRisk?: Stored; value?: Stored }) =>
  valueAtRisk != null &&
  value != null &&
  Number(valueAtRisk) < settings().lineWorth &&
  Number(value) < settings().thoughtFrom

/** The same as a condition on columns. */
const smallCondition = () => ({
  valueAtRisk: { '<': settings().lineWorth },
  value: { '<': settings().thoughtFrom },
})

/** How many of the rows that are summed are small, as a column. */
export const countOfSmall = () =>
  `count(case when valueAtRisk < ${settings().lineWorth} and value < ${settings().thoughtFrom} then 1 end) as small` as const

interface Uncertain {
  value?: Stored
  p10?: Stored
  p90?: Stored
  /** Its numbers before they changed; null where they have not. */
  changed?: string | null
}

/** How much of its value is uncertain: value · (P90 − P10) / (P90 + P10 + 1), twice where its numbers have changed. */
export const needsThought = ({ value, p10, p90, changed }: Uncertain) => {
  const width = (Number(p90) - Number(p10)) / (Number(p90) + Number(p10) + 1)
  return Number(value ?? 0) * width * (changed ? 2 : 1) >= settings().thoughtFrom
}

/** The same as a condition on columns of these names. PostgreSQL takes the type of a number from the column that it multiplies. */
export const thoughtExpression = () => {
  const share = 1 / Math.max(settings().thoughtFrom, 0.01)
  const isAt = (times: number) =>
    `value * (p90 - p10) * ${(times * share).toFixed(12)} >= p90 + p10 + 1`
  return `(${isAt(1)} or changed is not null and ${isAt(2)})`
}

/** All small lines of a supplier in one currency. */
export interface SmallLines {
  source: number
  supplier: string
  currency: string | null
  lines: number
  /** Decimal strings. */
  value: string
  valueAtRisk: string
}

/** As read from the database, which may return numbers as text. */
interface Group {
  source_ID: number
  supplier: string
  currency: string | null
  lines: number | string
  value: number | string | null
  valueAtRisk: number | string
}

/** What waiting costs most with, first. */
export async function listSmallLines(): Promise<SmallLines[]> {
  const query = SELECT.from(Proposals)
    .columns(
      ...(['source_ID', 'supplier', 'currency', 'count(*) as lines'] as const),
      ...(['sum(value) as value', 'sum(valueAtRisk) as valueAtRisk'] as const),
    )
    .where({ ...isOpenPurchase(), ...smallCondition() })
    .groupBy('source_ID', 'supplier', 'currency')
  const rows = await readAs<Group>(within(query, await rowsOfReader()))
  return rows
    .map(({ source_ID, supplier, currency, lines, value, valueAtRisk }) => ({
      ...{ source: Number(source_ID), supplier, currency, lines: Number(lines) },
      ...{ value: Number(value ?? 0).toFixed(2), valueAtRisk: Number(valueAtRisk).toFixed(2) },
    }))
    .sort((a, b) => Number(b.valueAtRisk) - Number(a.valueAtRisk))
}
