import { byText, type DriverShare, toEpochDay } from '../../../../engine/index.ts'
import { addDays } from '../../../../engine/proposal/index.ts'
import { inTransaction } from '../../../base/cap/context.ts'
import { EMPTY_HISTORY, loadHistories } from '../../../base/database/demand/histories.ts'
import {
  CurrentCustomerOrders,
  CurrentOpenOrders,
  CurrentReservations,
  Forecasts,
  readAs,
  Receipts,
} from '../../../base/database/entities.ts'
import { readLocalDays } from '../../../base/time/days.ts'
import { type CleanedDay, cleaningOf, lookUpForecasts } from '../../forecasts/index.ts'
import { findProposal } from '../readers.ts'

/** 52 weeks, so that weekdays meet. */
const YEAR = 364
const LONGEST = 90

/** A step of a waterfall; `from` and `to` are the sums before and after it, of a total 0 and itself. */
interface Step {
  /** Of restock.BridgeSteps. */
  code: string
  amount: number
  from: number
  to: number
  isTotal: boolean
}

export interface Bridge {
  ID: number
  horizonDays: number
  /** Null where there is no forecast. */
  asOf: string | null
  steps: Step[]
}

/** From the demand of the same days a year ago to the P50 over the proposal's protection interval; no steps where there is no forecast. */
export const bridgeOfProposal = (ID: number) => inTransaction(() => readBridge(ID))

async function readBridge(ID: number): Promise<Bridge> {
  const { series, sku, location, calculation } = await findProposal(ID)
  const horizonDays = Math.min(LONGEST, Math.max(1, calculation.horizonDays))
  const [answer] = await lookUpForecasts([{ sku, location }], horizonDays, true)
  if (!answer?.forecast) return { ID, horizonDays, asOf: null, steps: [] }
  const { asOf, p50, amounts = [] } = answer.forecast
  const before = await demandLastYear(series, asOf, horizonDays)
  return { ID, horizonDays, asOf, steps: stepsOf(before, amounts, p50) }
}

/** Null where the history does not reach back so far. */
async function demandLastYear(series: number, asOf: string, horizonDays: number) {
  const all = (await loadHistories([series], asOf)).get(series) ?? EMPTY_HISTORY
  const from = toEpochDay(asOf) - YEAR
  if (!(all.days.length > 0 && all.days[0]! <= from)) return null
  let sum = 0
  all.days.forEach((day, i) => {
    if (day >= from && day < from + horizonDays) sum += all.quantities[i]!
  })
  return Math.round(sum)
}

/** What the level changed since then is the first step, unless there was no last year. */
function stepsOf(before: number | null, amounts: DriverShare[], p50: number): Step[] {
  const steps: Step[] = []
  let sum = 0
  const add = (code: string, amount: number) => {
    if (amount !== 0) steps.push({ code, amount, from: sum, to: sum + amount, isTotal: false })
    sum += amount
  }
  if (before !== null) {
    sum = before
    steps.push({ code: 'last_year', amount: before, from: 0, to: before, isTotal: true })
  }
  for (const { code, amount } of amounts)
    if (code === 'level' && before !== null) add('trend', amount - before)
    else add(code, amount)
  return [...steps, { code: 'forecast', amount: p50, from: 0, to: p50, isTotal: true }]
}

export interface Cleaning {
  ID: number
  /** Of the forecast; null where there is none. */
  asOf: string | null
  /** Ascending. */
  days: CleanedDay[]
}

/** What the forecast of now takes otherwise than it was booked; no days where there is none. */
export async function cleaningOfProposal(ID: number): Promise<Cleaning> {
  const { series } = await findProposal(ID)
  const row = await SELECT.one.from(Forecasts).columns('asOf').where({ series })
  const asOf = row?.asOf ?? null
  return { ID, asOf, days: asOf ? await cleaningOf(series, asOf) : [] }
}

const PAST_DAYS = 90
/** Of each kind. */
const MOST = 100

/** Something that has come, is to come (quantity above 0) or is to go (below 0). */
export interface Movement {
  kind: 'receipt' | 'open_order' | 'customer_order' | 'reservation'
  date: string | null
  /** As promised. */
  due: string | null
  document: string
  supplier: string | null
  quantity: number
}

type Row = Omit<Movement, 'kind' | 'supplier'> & { supplier?: string | null }

/** What has come of a proposal's pair in the last 90 days, and what is to come or to go, by day; 100 of each kind at most. */
export async function movementsOfProposal(ID: number): Promise<Movement[]> {
  const { source, sku, location } = await findProposal(ID)
  const of = { source_ID: source, sku, location }
  const since = addDays((await readLocalDays(source)).of(location), -PAST_DAYS)
  const [received, ordered, wanted, reserved] = [
    await readAs<Row>(
      SELECT.from(Receipts)
        .columns('document', 'supplier', 'receivedOn as date', 'due', 'quantity')
        .where({ ...of, receivedOn: { '>=': since } })
        .orderBy('receivedOn desc')
        .limit(MOST),
    ),
    await readAs<Row>(
      SELECT.from(CurrentOpenOrders)
        .columns('document', 'supplier', 'due as date', 'due', 'quantity')
        .where(of)
        .orderBy('due')
        .limit(MOST),
    ),
    await readAs<Row>(openOf(CurrentCustomerOrders, of)),
    await readAs<Row>(openOf(CurrentReservations, of)),
  ]
  const named = (kind: Movement['kind'], rows: Row[], sign = 1): Movement[] =>
    rows.map(({ document, supplier = null, date, due, quantity }) => ({
      ...{ kind, document, supplier, date, due: due ?? null, quantity: sign * Number(quantity) },
    }))
  return [
    ...named('receipt', received),
    ...named('open_order', ordered),
    ...named('customer_order', wanted, -1),
    ...named('reservation', reserved, -1),
  ].sort((a, b) => byText(a.date ?? '', b.date ?? '') || byText(a.document, b.document))
}

const openOf = (
  entity: typeof CurrentCustomerOrders | typeof CurrentReservations,
  of: { source_ID: number; sku: string; location: string },
) =>
  SELECT.from(entity)
    .columns('document', 'due as date', 'due', 'quantity')
    .where(of)
    .orderBy('due')
    .limit(MOST)
