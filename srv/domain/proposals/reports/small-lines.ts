// Lines with which waiting costs less than a line is worth: shown, and decided, as one by supplier.
import { settings } from '../../../base/settings/config.ts'
import { Proposals, readAs } from '../../../base/database/entities.ts'
import { rowsOfReader } from '../readers.ts'
import { isOpenPurchase } from './open-orders.ts'
import { within } from './value-report.ts'

/** @returns false where the cost of waiting is not known */
export const isSmall = ({ valueAtRisk }: { valueAtRisk?: number | string | null }) =>
  valueAtRisk != null && Number(valueAtRisk) < settings().lineWorth

/** The same as a condition on proposals that wait for a decision. */
export const smallLines = () => ({
  ...isOpenPurchase(),
  valueAtRisk: { '<': settings().lineWorth },
})

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
    .where(smallLines())
    .groupBy('source_ID', 'supplier', 'currency')
  const rows = await readAs<Group>(within(query, await rowsOfReader()))
  return rows
    .map(({ source_ID, supplier, currency, lines, value, valueAtRisk }) => ({
      ...{ source: Number(source_ID), supplier, currency, lines: Number(lines) },
      ...{ value: Number(value ?? 0).toFixed(2), valueAtRisk: Number(valueAtRisk).toFixed(2) },
    }))
    .sort((a, b) => Number(b.valueAtRisk) - Number(a.valueAtRisk))
}
