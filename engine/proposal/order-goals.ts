import type { SupplierLimits } from './supplier-order.ts'
import type { Units } from '../types.ts'

/** A line that is open at a supplier, with what would be ordered of it. */
export interface OpenLine {
  quantity: Units
  /** Of that quantity, in money; null where its cost is not known. */
  value: number | null
  /** What it costs to wait with it, in money; below 0 where waiting is the cheaper. */
  valueAtRisk: number
  /** Whether it is in the order. */
  isChosen: boolean
}

/** What a supplier asks of an order, or gives for it. */
export interface OrderGoal {
  kind: 'minimum_value' | 'minimum_quantity' | 'free_freight' | 'container'
  /** Money, or units; of containers: the units of those that are begun. */
  required: number
  reached: number
  /** 0 where it is reached. */
  missing: number
  /** Those that are begun; null but for a container. */
  containers: number | null
}

/** Lines to take into an order, or out of it. */
export interface OrderSuggestion<Line> {
  action: 'add' | 'drop'
  /** Why; `waiting`: waiting with these lines costs nothing. */
  why: OrderGoal['kind'] | 'waiting'
  lines: Line[]
  value: number
  units: Units
  /** What waiting with them costs: averted by adding them, borne by dropping them. */
  valueAtRisk: number
  /** Whether that is enough for its goal. */
  isEnough: boolean
}

/** The goals of an order as it is chosen, in the order in which they bind. */
export function orderGoals(lines: readonly OpenLine[], limits: SupplierLimits): OrderGoal[] {
  const { minimumValue, minimumQuantity, freeFreight, containerUnits } = limits
  const { value, units } = totals(lines.filter(isChosen))
  const goal = (kind: OrderGoal['kind'], required: number, reached: number): OrderGoal => ({
    ...{ kind, required, reached, containers: null },
    missing: Math.max(0, rounded(required - reached)),
  })
  return [
    ...(minimumValue ? [goal('minimum_value', minimumValue, value)] : []),
    ...(minimumQuantity ? [goal('minimum_quantity', minimumQuantity, units)] : []),
    ...(freeFreight ? [goal('free_freight', freeFreight.from, value)] : []),
    ...(containerUnits ? [containerGoal(units, containerUnits, goal)] : []),
  ]
}

function containerGoal(
  units: Units,
  container: Units,
  goal: (kind: 'container', required: number, reached: number) => OrderGoal,
): OrderGoal {
  const containers = Math.max(1, Math.ceil(units / container - 1e-9))
  return { ...goal('container', containers * container, units), containers }
}

/**
 * What would reach each goal that is missed: of the lines that are left out those first that protect most for their
 * money, or for each unit where units are asked for. A line is taken whole. For a container that is begun also what
 * would leave it at home: the lines that cost least to wait with. At last the lines with which waiting costs nothing,
 * as far as no minimum is lost by dropping them.
 *
 * Greedy, as for a budget (Dantzig, Discrete-Variable Extremum Problems, Operations Research 5, 1957): worse than the
 * best choice by less than one line.
 */
export function orderSuggestions<Line extends OpenLine>(
  lines: readonly Line[],
  limits: SupplierLimits,
): OrderSuggestion<Line>[] {
  const chosen = lines.filter(isChosen)
  const missed = orderGoals(lines, limits).filter(({ missing }) => missing > 0)
  const found = missed.flatMap((goal) => [
    ...filling(lines, goal),
    ...(goal.kind === 'container' ? emptying(chosen, goal, limits) : []),
  ])
  return [...found, ...idle(chosen, limits)]
}

function filling<Line extends OpenLine>(
  lines: readonly Line[],
  { kind, missing }: OrderGoal,
): OrderSuggestion<Line>[] {
  const measure = measureOf(kind)
  // Nothing is put into a container that has no room for it.
  const room = kind === 'container' ? missing : Infinity
  const added: Line[] = []
  let sum = 0
  for (const line of byProtection(
    lines.filter((each) => !each.isChosen),
    measure,
  )) {
    const counts = measure(line)
    if (sum >= missing - NOISE || counts <= 0 || sum + counts > room + NOISE) continue
    added.push(line)
    sum += counts
  }
  if (!added.length) return []
  return [suggestion('add', kind, added, sum >= missing - NOISE)]
}

/** Takes the last container away, that which is begun. */
function emptying<Line extends OpenLine>(
  chosen: Line[],
  { required, reached, containers }: OrderGoal,
  limits: SupplierLimits,
): OrderSuggestion<Line>[] {
  if (containers! < 2) return []
  const over = reached - (required * (containers! - 1)) / containers!
  const dropped: Line[] = []
  let sum = 0
  for (const line of byProtection(chosen, unitsOf).toReversed()) {
    if (sum >= over - NOISE) break
    dropped.push(line)
    sum += line.quantity
  }
  const kept = chosen.filter((line) => !dropped.includes(line))
  return kept.length && meetsMinimums(kept, limits)
    ? [suggestion('drop', 'container', dropped, true)]
    : []
}

function idle<Line extends OpenLine>(
  chosen: Line[],
  limits: SupplierLimits,
): OrderSuggestion<Line>[] {
  const isMet = meetsMinimums(chosen, limits)
  let kept = chosen
  const dropped: Line[] = []
  for (const line of byProtection(chosen, valueOf).toReversed()) {
    if (line.valueAtRisk > 0) break
    const rest = kept.filter((each) => each !== line)
    if (!rest.length || (isMet && !meetsMinimums(rest, limits))) continue
    kept = rest
    dropped.push(line)
  }
  return dropped.length ? [suggestion('drop', 'waiting', dropped, true)] : []
}

/** What an order already has it keeps: freight that is free stays free. */
function meetsMinimums(chosen: readonly OpenLine[], limits: SupplierLimits) {
  const { containerUnits: _c, ...asked } = limits
  return orderGoals(chosen, asked).every(({ missing }) => missing === 0)
}

const suggestion = <Line extends OpenLine>(
  action: 'add' | 'drop',
  why: OrderSuggestion<Line>['why'],
  lines: Line[],
  isEnough: boolean,
): OrderSuggestion<Line> => ({ action, why, lines, ...totals(lines), isEnough })

/** Of lines whose cost is known their value. Money to the cent. */
export function totals(lines: readonly OpenLine[]) {
  const sum = (count: (line: OpenLine) => number) =>
    rounded(lines.reduce((total, line) => total + count(line), 0))
  return { value: sum(valueOf), units: sum(unitsOf), valueAtRisk: sum((line) => line.valueAtRisk) }
}

type Measure = (line: OpenLine) => number

const measureOf = (kind: OrderGoal['kind']): Measure =>
  kind === 'minimum_value' || kind === 'free_freight' ? valueOf : unitsOf

/** What protects most for what it counts first; equal ones in the order given. */
const byProtection = <Line extends OpenLine>(lines: readonly Line[], measure: Measure): Line[] => {
  const rate = (line: Line) =>
    line.valueAtRisk === 0 ? 0 : line.valueAtRisk / Math.max(NOISE, measure(line))
  return [...lines].sort((a, b) => rate(b) - rate(a))
}

const NOISE = 1e-6
const isChosen = (line: OpenLine) => line.isChosen
const valueOf = ({ value }: OpenLine) => value ?? 0
const unitsOf = ({ quantity }: OpenLine) => quantity
const rounded = (amount: number) => Math.round(amount * 100) / 100
