import { ENGINE_VERSION } from '../../../engine/index.ts'
import {
  isGone,
  isMaterial,
  type ProposalInput,
  type ProposalResult,
  type Urgency,
  urgencyRank,
} from '../../../engine/proposal/index.ts'
import type { PairInputs } from '../inputs/pair-inputs.ts'
import {
  calculationColumns,
  type Newer,
  type Proposal,
  type ProposalColumns,
  sameCalculation,
} from '../to-proposal.ts'
import { valueOf } from '../decisions/decisions.ts'
import { isKept } from '../lifecycle/states.ts'
import { wakesEarly } from '../lifecycle/early-wake.ts'

type Order = Extract<ProposalResult, { kind: 'order' }>

export type Step =
  | { do: 'create'; columns: ProposalColumns }
  | { do: 'update'; proposal: Proposal; columns: ProposalColumns }
  /** Still right: only its expiry moves. */
  | { do: 'confirm'; proposal: Proposal }
  /** Stays as a person left it; what would be proposed now is kept beside it. */
  | { do: 'annotate'; proposal: Proposal; newer: Omit<Newer, 'at'> | null }
  | { do: 'supersede'; proposal: Proposal }
  /** A rejection that holds no longer: with it all earlier ones of the pair. */
  | { do: 'lapse'; proposal: Proposal }
  /** Put off, and more urgent since: it goes back to the buyer with the numbers of now. */
  | { do: 'wake'; proposal: Proposal; urgency: Urgency; columns: ProposalColumns }

export interface Recalculated {
  pair: PairInputs
  input: ProposalInput
  result: ProposalResult
  open: Proposal[]
  lastRejected: Proposal | undefined
}

/**
 * What a newer calculation means for the pair's proposals. What a person has touched stays as it
 * is, with the newer calculation beside it, also where the pair has another supplier by now; an
 * untouched one follows the numbers; a rejected one comes back only after a material change.
 */
export function reconcile({ pair, input, result, open, lastRejected }: Recalculated): Step[] {
  const openKey = openKeyOf(pair)
  const own = (proposal: Proposal) => proposal.openKey === openKey
  const kept = open.filter(isKept)
  const mine = kept.find(own) ?? kept[0] ?? open.find(own)
  if (result.kind !== 'order') {
    return [...supersede(open), ...annotate(mine, result), ...lapse(lastRejected, result)]
  }
  const steps = supersede(open.filter((proposal) => proposal !== mine))
  if (!mine) {
    if (lastRejected && !comesBack(lastRejected, pair, result)) return steps
    if (lastRejected) steps.push({ do: 'lapse', proposal: lastRejected })
    const columns = { ...pairColumns(pair), ...orderColumns(pair, input, result) }
    return [...steps, { do: 'create', columns }]
  }
  if (wakesEarly(mine, result.urgency)) {
    const { urgency } = result
    const columns = { ...pairColumns(pair), ...orderColumns(pair, input, result) }
    return [...steps, { do: 'wake', proposal: mine, urgency, columns }]
  }
  if (isKept(mine)) return [...steps, ...annotate(mine, result)]
  if (saysTheSame(mine, pair, result)) return [...steps, { do: 'confirm', proposal: mine }]
  return [...steps, { do: 'update', proposal: mine, columns: orderColumns(pair, input, result) }]
}

/** The same for a move from another location; what a person keeps is not planned anew. */
export function reconcileMove(
  { pair, input, result, open }: Omit<Recalculated, 'lastRejected'>,
  from: string,
): Step[] {
  const openKey = moveKeyOf(pair, from)
  const mine = open.find((proposal) => proposal.openKey === openKey)
  if (result.kind !== 'order' || (mine && isKept(mine))) return []
  const columns = orderColumns(pair, input, result)
  if (mine) {
    const isSame = saysTheSame(mine, pair, result)
    return [isSame ? { do: 'confirm', proposal: mine } : { do: 'update', proposal: mine, columns }]
  }
  const route = { kind: 'transfer', fromLocation: from, supplier: null, openKey } as const
  return [{ do: 'create', columns: { ...pairColumns(pair), ...route, ...columns } }]
}

/** Withdraws what nobody has touched. */
export const supersede = (proposals: Proposal[]): Step[] =>
  proposals
    .filter((proposal) => !isKept(proposal))
    .map((proposal) => ({ do: 'supersede', proposal }))

/** Holds one open proposal a pair and supplier. */
export const openKeyOf = ({ source, sku, location, supplier }: PairInputs) =>
  [source, sku, location, supplier ?? ''].join('|')

/** Holds one open move a pair and giver. */
export const moveKeyOf = ({ source, sku, location }: PairInputs, from: string) =>
  [source, sku, location, `←${from}`].join('|')

/** Says what would be proposed now, where that has changed since it was last said. */
function annotate(mine: Proposal | undefined, result: ProposalResult): Step[] {
  if (!mine || !isKept(mine) || result.kind === 'blocked') return []
  const { calculation } = result
  const known = mine.newer?.calculation ?? mine.calculation
  if (sameCalculation(known, calculation)) return []
  const newer = sameCalculation(mine.calculation, calculation)
    ? null
    : { quantity: calculation.quantity, calculation }
  return [{ do: 'annotate', proposal: mine, newer }]
}

function lapse(rejected: Proposal | undefined, result: ProposalResult): Step[] {
  const holds =
    !rejected || result.kind !== 'none' || !isGone(rejected.calculation, result.calculation)
  return holds ? [] : [{ do: 'lapse', proposal: rejected }]
}

/** From another supplier it is another proposal. */
function comesBack({ calculation, urgency, supplier }: Proposal, pair: PairInputs, result: Order) {
  if (supplier !== pair.supplier) return true
  const { quantity, lotSize } = calculation
  return isMaterial(
    { quantity, lotSize, urgency },
    { quantity: result.quantity, lotSize: result.calculation.lotSize, urgency: result.urgency },
  )
}

function saysTheSame(proposal: Proposal, pair: PairInputs, result: Order) {
  return (
    sameCalculation(proposal.calculation, result.calculation) &&
    proposal.quantity === result.quantity &&
    proposal.urgency === result.urgency &&
    proposal.orderBy === result.orderBy &&
    Number(proposal.unitCost) === Number(pair.unitCost) &&
    sameRules(proposal, result)
  )
}

/** One that was made before rules were kept is not renewed for them alone. */
const sameRules = ({ calculation: { rules } }: Proposal, result: Order) =>
  !rules || JSON.stringify(rules) === JSON.stringify(result.calculation.rules)

/** What the calculation was made from, but for the numbers that it tells itself. */
function basisOf(
  { forecastAsOf }: PairInputs,
  { forecast: _f, rules: _r, ...given }: ProposalInput,
) {
  return JSON.stringify({ engineVersion: ENGINE_VERSION, forecastAsOf, ...given })
}

const pairColumns = (pair: PairInputs): ProposalColumns => ({
  source_ID: pair.source,
  series: pair.series,
  kind: 'purchase',
  sku: pair.sku,
  location: pair.location,
  supplier: pair.supplier,
  openKey: openKeyOf(pair),
})

const orderColumns = (pair: PairInputs, input: ProposalInput, result: Order): ProposalColumns => ({
  quantity: result.quantity,
  unitCost: pair.unitCost,
  currency: pair.currency,
  value: valueOf(pair.unitCost, result.quantity),
  rationale: result.rationale,
  urgency: result.urgency,
  urgencyRank: urgencyRank(result.urgency),
  orderBy: result.orderBy,
  newer: null,
  confidence: pair.confidence?.(result.calculation.horizonDays) ?? null,
  exceptions: result.calculation.exceptions?.length
    ? result.calculation.exceptions.map(({ code }) => code)
    : null,
  basis: basisOf(pair, input),
  ...calculationColumns(result.calculation),
})
