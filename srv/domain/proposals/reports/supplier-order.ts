import cds from '@sap/cds'
import {
  type Calculation,
  fillBudget,
  type OpenLine,
  type OrderGoal,
  type OrderSuggestion as Suggestion,
  orderGoals,
  orderSuggestions,
  type SupplierLimits,
  totals,
} from '../../../../engine/proposal/index.ts'
import {
  type Answer,
  currentDecider,
  foreseeApprovals,
  isApprover,
  type Predicate,
  withReadCache,
  rolesOf,
  whoMayApprove,
} from '../../authority/index.ts'
import { Proposals } from '../../../base/database/entities.ts'
import { toDecimal } from '../../../base/database/rows.ts'
import { rowsOfReader } from '../readers.ts'
import { settings } from '../../../base/settings/config.ts'
import { type LocalDays, readLocalDays } from '../../../base/time/days.ts'
import { valueOf } from '../decide/decisions.ts'
import { unitCostOf } from '../to-proposal.ts'
import { toBudgetLine } from './budget.ts'
import { isSmall, refusalOf } from './attention.ts'
import { isOpenPurchase, type OrderKey, orderLocations } from './open-orders.ts'
import { readOrderDays, supplierTermsOf } from './supplier-terms.ts'

interface SupplierOrderQuery {
  source: number
  supplier: string
  location?: string | null
  currency?: string | null
  chosen?: { ID: number; quantity?: number | null }[] | null
  /** Decimal string: the lines on which it is best spent are chosen. */
  budget?: string | null
}

export interface WorkbenchLine {
  ID: number
  isChosen: boolean
  /** Whether waiting with it costs less than a line is worth. */
  isSmall: boolean
  /** The chosen quantity, or else the proposed one. */
  quantity: number
  /** The unit cost at that quantity. */
  unitCost: string | null
  value: string | null
  /** In proportion to the quantity; null where it is unknown. */
  valueAtRisk: string | null
  /** The quantity of the next price break; null if there is none. */
  breakFrom: number | null
  breakCost: string | null
  /** How its approval would count after those above: only, first (of two) or second; null if refused. */
  approval: string | null
  /** A key of _i18n/messages.json and its values, as JSON. */
  refusal: string | null
}

/** A suggestion that would fill the order, with its lines by their numbers. */
export interface OrderSuggestion extends Omit<Suggestion<never>, 'lines'> {
  lines: number[]
  /** The saved freight. */
  saving: number | null
}

interface SupplierOrder extends OrderKey {
  /** The number of open lines, of which at most 1,000 are answered. */
  total: number
  /** What costs most to wait for first. */
  lines: WorkbenchLine[]
  chosen: number
  units: number
  value: number
  valueAtRisk: number
  /** The cost of waiting with the lines that are not chosen. */
  leftAtRisk: number
  goals: OrderGoal[]
  suggestions: OrderSuggestion[]
  /** The earliest day by which a line must be ordered. */
  orderBy: string | null
  /** The next order day of the ordering rule; null if it names no days. */
  nextOrderDay: string | null
  orderDayAfter: string | null
  /** Who may approve the chosen lines that this user may not; empty if there are none. */
  approvers: string[]
}

type Stored = Awaited<ReturnType<typeof readLines>>[number]

/** A line as it is weighed, with what is stored of it. */
interface Line extends OpenLine {
  row: Stored
  unitCost: string | null
  /** Decimal string. */
  worth: string | null
}

/** The most lines that one call decides about. */
const MOST_LINES = 1000

/** The open lines of an order that the user sees, their sums, and suggestions that would fill it. */
export async function supplierOrderOf(query: SupplierOrderQuery): Promise<SupplierOrder> {
  const visible = await rowsOfReader()
  const { source, supplier, location = null, currency = null } = query
  const orderLocation = await orderLocations(source, [supplier])
  const open = (await readLines(query, visible)).filter(
    (row) => orderLocation(supplier, row.location!) === location,
  )
  const limits = await limitsOf(query)
  const days = await readLocalDays(source)
  const rows = open.slice(0, MOST_LINES)
  const asked = query.budget == null ? (query.chosen ?? null) : spend(rows, Number(query.budget))
  const lines = rows.map((row) => toLine(row, asked, days))
  const chosen = lines.filter(({ isChosen }) => isChosen)
  const answers = await foreseen(query, chosen)
  const goals = orderGoals(lines, limits)
  return {
    ...{ source, supplier, location, currency, total: open.length },
    lines: lines.map((line) => toAnswer(line, answers.get(line))),
    ...{ chosen: chosen.length, ...totals(chosen) },
    leftAtRisk: totals(lines.filter(({ isChosen }) => !isChosen)).valueAtRisk,
    goals,
    suggestions: orderSuggestions(lines, limits).map(({ lines: named, ...suggestion }) => ({
      ...suggestion,
      lines: named.map(({ row }) => row.ID),
      saving: suggestion.why === 'free_freight' ? (limits.freeFreight?.cost ?? null) : null,
    })),
    orderBy: open.flatMap(({ orderBy }) => orderBy ?? []).sort()[0] ?? null,
    ...(await orderDaysOf(query, days)),
    approvers: await approversOf(chosen.filter((line) => answers.get(line)?.ok === false)),
  }
}

/** Who may approve these lines instead. */
async function approversOf(refused: Line[]): Promise<string[]> {
  if (!refused.length) return []
  const values = refused.map(({ value }) => value)
  const isKnown = values.every((value) => value !== null)
  const sum = values.reduce<number>((total, value) => total + (value ?? 0), 0)
  const worth = {
    line: isKnown ? Math.max(...values).toFixed(2) : null,
    day: isKnown ? sum.toFixed(2) : null,
    currency: refused[0]!.row.currency ?? null,
  }
  return whoMayApprove(worth, [...new Set(refused.map(({ row }) => row.location!))])
}

/** What costs most to wait for first. */
async function readLines(
  { source, supplier, currency }: SupplierOrderQuery,
  visible: Predicate | null,
) {
  const query = SELECT.from(Proposals)
    .columns(
      ...(['ID', 'version', 'kind', 'source_ID', 'supplier', 'sku', 'location', 'status'] as const),
      ...(['quantity', 'value', 'unitCost', 'currency', 'valueAtRisk', 'orderBy'] as const),
      ...(['firstApprover', 'firstApproverFor', 'calculation_further'] as const),
      ...(['calculation_moq', 'calculation_lotSize'] as const),
    )
    .where({ ...isOpenPurchase(), supplier, source_ID: source, currency: currency ?? null })
  const rows = await (visible ? query.where(visible) : query)
  // Sorted here and not by the database: to avoid sorting, SQLite would read the lines of all suppliers.
  return rows.sort(byRisk)
}

/** The lines, or parts of lines, on which money is best spent; those without a cost are left out. */
function spend(rows: Stored[], money: number) {
  const costed = rows.filter(({ unitCost }) => unitCost !== null)
  const weighed = costed.map((row) => toBudgetLine(row, pricesOf(row)))
  const { taken } = fillBudget(weighed, {
    ...{ money, units: null, leastProtected: settings().lineWorth },
  })
  return taken.map(({ line, quantity }) => ({ ID: line.row.ID, quantity }))
}

interface AtRisk {
  ID?: number | null
  valueAtRisk?: number | string | null
}

/** Lines with an unknown cost of waiting come last. */
const riskOf = ({ valueAtRisk }: AtRisk) => Number(valueAtRisk ?? -Infinity)
const byRisk = (a: AtRisk, b: AtRisk) => riskOf(b) - riskOf(a) || a.ID! - b.ID!

function toLine(row: Stored, chosen: SupplierOrderQuery['chosen'], days: LocalDays): Line {
  const own = chosen?.find(({ ID }) => ID === row.ID)
  const isDue = row.orderBy !== null && row.orderBy <= days.of(row.location!)
  const proposed = Number(row.quantity)
  const quantity = own?.quantity ?? proposed
  const unitCost = unitCostOf(toDecimal(row.unitCost, 4), { prices: pricesOf(row) }, quantity)
  const worth = valueOf(unitCost, quantity)
  return {
    ...{ row, quantity, unitCost, worth, isChosen: chosen ? Boolean(own) : isDue },
    value: worth === null ? null : Number(worth),
    valueAtRisk: (Number(row.valueAtRisk) * quantity) / proposed || 0,
  }
}

const pricesOf = ({ calculation_further: further }: Stored) =>
  further ? (JSON.parse(further) as Pick<Calculation, 'prices'>).prices : undefined

function toAnswer({ row, quantity, ...line }: Line, answer?: Answer): WorkbenchLine {
  const next = pricesOf(row)?.find(({ from }) => from > quantity)
  return {
    ...{ ID: row.ID, isChosen: line.isChosen, isSmall: isSmall(row), quantity },
    ...{ unitCost: line.unitCost, value: line.worth },
    valueAtRisk: row.valueAtRisk === null ? null : line.valueAtRisk.toFixed(2),
    ...{ breakFrom: next?.from ?? null, breakCost: next ? String(next.unitCost) : null },
    approval: answer?.ok ? answer.approval : null,
    refusal: answer && !answer.ok ? JSON.stringify(refusalOf(answer)) : null,
  }
}

/** Predicts how this user could approve the chosen lines; empty for a user without an approving role. */
async function foreseen({ source, supplier }: SupplierOrderQuery, chosen: Line[]) {
  if (!isApprover({ roles: rolesOf(cds.context!.user) })) return new Map<Line, Answer>()
  return withReadCache(async () => {
    const decider = await currentDecider()
    const questions = chosen.map(({ row, quantity, worth }) => ({
      ...{ action: 'approve' as const, decider, quantity, value: worth },
      proposal: {
        ...{ ID: row.ID, kind: 'purchase', source, supplier, sku: row.sku!, status: row.status! },
        ...{ location: row.location!, quantity: Number(row.quantity), currency: row.currency },
        ...{ firstApprover: null, firstApproverFor: null },
      },
    }))
    const answers = await foreseeApprovals(questions)
    return new Map(chosen.map((line, at) => [line, answers[at]!]))
  })
}

async function limitsOf({
  source,
  supplier,
  location,
}: SupplierOrderQuery): Promise<SupplierLimits> {
  const terms = await supplierTermsOf({ source, suppliers: [supplier] }, null)
  const own =
    terms.find((each) => each.location === (location ?? null)) ??
    terms.find((each) => each.byLocation)
  if (!own) return {}
  const { minimumValue, minimumQuantity, containerUnits, freeFreightFrom, freightCost } = own
  return {
    ...{ minimumValue, minimumQuantity, containerUnits },
    freeFreight: freeFreightFrom === null ? null : { from: freeFreightFrom, cost: freightCost! },
  }
}

async function orderDaysOf({ supplier, location }: SupplierOrderQuery, local: LocalDays) {
  const [days] = await readOrderDays([{ supplier, location: location ?? null }], local)
  return { nextOrderDay: days?.next ?? null, orderDayAfter: days?.after ?? null }
}
