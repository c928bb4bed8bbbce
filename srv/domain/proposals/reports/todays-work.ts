// The work of today and its value. The database computes the sums: fifty thousand open lines are never read.
import type { Predicate } from '../../authority/index.ts'
import { BlockedPairs, Exceptions, Proposals, readAs } from '../../../base/database/entities.ts'
import { initialStatus, undecidedStatuses } from '../stored/flow.ts'
import { rowsOfReader } from '../readers.ts'
import { isDueNow, today } from '../../../base/time/days.ts'
import { assignedTo, isAssigned } from '../assigned/responsible.ts'
import { countOfSmall } from './attention.ts'
import { readForecastBias } from '../explain/forecast-bias.ts'
import { type Amount, amountOf, within } from './value-report.ts'
import { readStockReached, readStockWorth } from '../explain/outlook.ts'

/** As read from the database, which may return numbers as text. */
interface Group {
  status: string
  urgency: string
  currency: string | null
  lines: number | string
  value: number | string | null
  valueAtRisk: number | string | null
  small: number | string
}

/** A number of lines and their value: one amount if today's rates lead to one currency, otherwise one for each currency. */
export interface WorkSum {
  lines: number
  /** Those of the lines that lists fold into one row by supplier. */
  smallLines: number
  value: Amount[]
  /** The cost of waiting with them. */
  valueAtRisk: Amount[]
}

export type TodaysWork = Awaited<ReturnType<typeof readTodaysWork>>

/**
 * The work of today that the user sees: lines that are due and open, what is out of stock, stock that runs out before an order
 * of today arrives, and lines that wait for a second approval.
 */
export async function readTodaysWork() {
  const visible = await rowsOfReader()
  const open = await readGroups(visible, { status: { in: undecidedStatuses() } })
  const pending = open.filter(({ status }) => status === initialStatus())
  return {
    asOf: today(),
    due: await sumOf(await readGroups(visible, { status: initialStatus() }, await isDueNow())),
    open: await sumOf(pending),
    out: await sumOf(pending.filter(({ urgency }) => urgency === 'stocked_out')),
    stockout: await sumOf(pending.filter(({ urgency }) => urgency === 'stockout_before_arrival')),
    second: await sumOf(open.filter(({ status }) => status !== initialStatus())),
    ...(await readAssignedWork(visible)),
    blocked: await countBlocked(visible),
    exceptions: await sumExceptions(visible),
    stock: await readStockWorth(visible),
    reached: await readStockReached(visible),
    bias: await readForecastBias(visible),
  }
}

/** Open lines of the user and of the user's team; null where rules name nobody. */
async function readAssignedWork(visible: Predicate | null) {
  if (!(await isAssigned())) return { mine: null, team: null }
  const of = async (whose: string) =>
    sumOf(await readGroups(visible, { status: initialStatus() }, await assignedTo(whose)))
  return { mine: await of('me'), team: await of('team') }
}

async function readGroups(
  visible: Predicate | null,
  where: object,
  further?: object,
): Promise<Group[]> {
  const query = SELECT.from(Proposals)
    .columns(
      ...(['status', 'urgency', 'currency', 'count(*) as lines'] as const),
      ...(['sum(value) as value', 'sum(valueAtRisk) as valueAtRisk'] as const),
      countOfSmall(),
    )
    .where(where)
    .groupBy('status', 'urgency', 'currency')
  if (further) void query.where(further)
  return readAs<Group>(within(query, visible))
}

const sumOf = async (groups: Group[]): Promise<WorkSum> => ({
  lines: groups.reduce((sum, { lines }) => sum + Number(lines), 0),
  smallLines: groups.reduce((sum, { small }) => sum + Number(small), 0),
  value: await amountOf(groups, 'value'),
  valueAtRisk: await amountOf(groups, 'valueAtRisk'),
})

async function countBlocked(visible: Predicate | null): Promise<number> {
  const query = SELECT.from(BlockedPairs).columns('count(*) as count')
  const [row] = await readAs<{ count: unknown }>(within(query, visible))
  return Number(row?.count ?? 0)
}

interface ExceptionGroup {
  kind: string
  currency: string | null
  count: number | string
  value: number | string | null
}

interface ExceptionSum {
  kind: string
  count: number
  value: Amount[]
}

/** The number and value of exceptions by kind, highest value first. */
async function sumExceptions(visible: Predicate | null) {
  const query = SELECT.from(Exceptions)
    .columns('kind', 'currency', 'count(*) as count', 'sum(value) as value')
    .where({ settledAt: null })
    .groupBy('kind', 'currency')
  const groups = await readAs<ExceptionGroup>(within(query, visible))
  const sums: ExceptionSum[] = []
  for (const [kind, of] of Map.groupBy(groups, (group) => group.kind)) {
    const count = of.reduce((sum, group) => sum + Number(group.count), 0)
    sums.push({ kind, count, value: await amountOf(of, 'value') })
  }
  return sums.sort((a, b) => worth(b) - worth(a) || b.count - a.count)
}

const worth = ({ value }: ExceptionSum) =>
  value.reduce((sum, amount) => sum + Number(amount.value), 0)
