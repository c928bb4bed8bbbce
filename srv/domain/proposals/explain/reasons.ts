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
import {
  type Evidence,
  FORMULA_VERSION,
  type FormulaLine,
  formulaOf,
  type StoredEvidence,
} from '../stored/proposal.ts'
import { type Draft, readDrafts } from '../terms/drafts.ts'
import { type OrderPromise, promiseOf } from '../terms/promises.ts'

/** 52 weeks, so that the same weekdays are compared. */
const YEAR = 364
const LONGEST = 90

/** A step of a waterfall chart. `from` and `to` are the sums before and after the step; a total goes from 0 to itself. */
interface Step {
  /** A code of restock.BridgeSteps. */
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

/** The steps from last year's demand of the same days to the P50; none without a forecast. */
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

/** @returns null if the history is too short */
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

/** The change of the level is the first step, unless there is no demand of last year. */
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
  /** The first day of the forecast; null if there is none. */
  asOf: string | null
  /** Ascending. */
  days: CleanedDay[]
}

/** The days whose demand the present forecast corrects or leaves out; none without a forecast. */
export async function cleaningOfProposal(ID: number): Promise<Cleaning> {
  const { series } = await findProposal(ID)
  return { ID, ...(await cleaningOfPair(series)) }
}

/** The same of a pair that the caller may see. */
export async function cleaningOfPair(series: number): Promise<Omit<Cleaning, 'ID'>> {
  const row = await SELECT.one.from(Forecasts).columns('asOf').where({ series })
  const asOf = row?.asOf ?? null
  return { asOf, days: asOf ? await cleaningOf(series, asOf) : [] }
}

const PAST_DAYS = 90
/** Most movements of each kind. */
const MOST = 100

/** Units that have arrived or will arrive (quantity above 0), or will leave (below 0). */
interface Movement {
  kind: 'receipt' | 'open_order' | 'customer_order' | 'reservation' | 'draft' | 'contract'
  date: string | null
  /** The promised day. */
  due: string | null
  document: string
  supplier: string | null
  quantity: number
  /** Of a draft or a contract. */
  draft?: Draft
  /** Of an open order: what its supplier has confirmed. */
  promise?: OrderPromise
}

type MovementRow = Omit<Movement, 'kind' | 'supplier' | 'draft' | 'promise'> & {
  supplier?: string | null
}

type OrderRow = Parameters<typeof promiseOf>[0] & {
  document: string
  supplier: string | null
  due: string | null
}

/** The pair's receipts of the last 90 days, and what is due to arrive or leave; at most 100 of each kind. */
export async function movementsOfProposal(ID: number): Promise<Movement[]> {
  const { source, sku, location } = await findProposal(ID)
  const of = { source_ID: source, sku, location }
  const days = await readLocalDays(source)
  const since = addDays(days.of(location), -PAST_DAYS)
  const [received, ordered, wanted, reserved] = [
    await readAs<MovementRow>(
      SELECT.from(Receipts)
        .columns('document', 'supplier', 'receivedOn as date', 'due', 'quantity')
        .where({ ...of, receivedOn: { '>=': since } })
        .orderBy('receivedOn desc')
        .limit(MOST),
    ),
    await readAs<OrderRow>(
      SELECT.from(CurrentOpenOrders)
        .columns('document', 'supplier', 'due', 'quantity', 'confirmedOn', 'confirmedQuantity')
        .where(of)
        .orderBy('due')
        .limit(MOST),
    ),
    await readAs<MovementRow>(openOf(CurrentCustomerOrders, of)),
    await readAs<MovementRow>(openOf(CurrentReservations, of)),
  ]
  const named = (kind: Movement['kind'], rows: MovementRow[], sign = 1): Movement[] =>
    rows.map(({ document, supplier = null, date, due, quantity }) => ({
      ...{ kind, document, supplier, date, due: due ?? null, quantity: sign * Number(quantity) },
    }))
  const drafts = (await readDrafts(source, days, [{ sku, location }])).slice(0, MOST)
  return [
    ...drafts.map(ofDraft),
    ...named('receipt', received),
    ...ordered.map(ofOrder),
    ...named('customer_order', wanted, -1),
    ...named('reservation', reserved, -1),
  ].sort((a, b) => byText(a.date ?? '', b.date ?? '') || byText(a.document, b.document))
}

function ofOrder(row: OrderRow): Movement {
  const { document, supplier, due } = row
  const promise = promiseOf(row)
  const { date, quantity } = promise
  return { kind: 'open_order', document, supplier, date, due, quantity, promise }
}

/** A contract is nothing that comes. */
const ofDraft = (draft: Draft): Movement => ({
  kind: draft.kind === 'contract' ? 'contract' : 'draft',
  ...{ document: draft.document, supplier: draft.supplier, date: draft.due, due: draft.due },
  quantity: draft.kind === 'contract' ? 0 : draft.remaining,
  draft,
})

const openOf = (
  entity: typeof CurrentCustomerOrders | typeof CurrentReservations,
  of: { source_ID: number; sku: string; location: string },
) =>
  SELECT.from(entity)
    .columns('document', 'due as date', 'due', 'quantity')
    .where(of)
    .orderBy('due')
    .limit(MOST)

interface Replay {
  /** The quantity that the stored formula gives, before any edit. */
  quantity: number
  /** Whether that equals the quantity calculated at the time. */
  matches: boolean
  lines: FormulaLine[]
}

// What decisions were made from, and whether it still gives the same numbers.

/**
 * Repeats the calculation of a decision from its evidence alone, since the forecasts, policies and master data of then may be
 * gone.
 * @throws RangeError for evidence with an unknown formula
 */
export function replayEvidence({ formula, calculation }: StoredEvidence): Replay {
  if (formula !== FORMULA_VERSION) throw new RangeError(`There is no formula ${formula}.`)
  const lines = formulaOf(calculation)
  const quantity = lines.at(-1)!.value
  return { quantity, matches: quantity === calculation.quantity, lines }
}

/** The calculation of a proposal as it stands, and that of each decision about it. */
export const evidenceOfProposal = (ID: number) => inTransaction(() => readEvidence(ID))

async function readEvidence(ID: number): Promise<Evidence> {
  const proposal = await findProposal(ID)
  const rows = (await SELECT.from('restock.Evidence')
    .columns('content')
    .where({ proposal: ID })
    .orderBy('version')) as { content: string }[]
  const decisions = rows.map(({ content }) => {
    const kept = JSON.parse(content) as StoredEvidence
    const { lines, quantity } = replayEvidence(kept)
    return { ...kept, lines, replayedQuantity: quantity }
  })
  const lines = formulaOf(proposal.calculation)
  return { proposal, basis: parse(proposal.basis), lines, decisions }
}

const parse = (json: string | null) => (json ? (JSON.parse(json) as Evidence['basis']) : null)
