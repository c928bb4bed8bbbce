import { ENGINE_VERSION } from '../../../../engine/index.ts'
import {
  isGone,
  isMaterial,
  type ProposalInput,
  type ProposalResult,
  URGENCIES,
  type Urgency,
  urgencyRank,
} from '../../../../engine/proposal/index.ts'
import { joinOpenKey } from '../../../base/database/proposal-marks.ts'
import type { PairInputs } from '../terms/pair-inputs.ts'
import {
  calculationColumns,
  isCalculationOf,
  type NewerCalculation,
  type Proposal,
  type ProposalColumns,
  sameCalculation,
  unitCostOf,
} from '../to-proposal.ts'
import { valueOf } from '../decide/decisions.ts'
import { hasBecomeMoreUrgent, isKept, isUntouched } from '../decide/transition.ts'
import type { KnownProposal } from './pair-proposals.ts'

type Order = Extract<ProposalResult, { kind: 'order' }>

export type ProposalChange =
  | { do: 'create'; columns: ProposalColumns }
  | { do: 'update'; proposal: Proposal; columns: ProposalColumns }
  /** The proposal stays as it is, with a later expiry. */
  | { do: 'confirm'; proposal: Pick<Proposal, 'ID'> }
  /** The proposal stays as a person left it, and the newer calculation is stored beside it. */
  | { do: 'annotate'; proposal: Proposal; newer: Omit<NewerCalculation, 'at'> | null }
  | { do: 'supersede'; proposal: Proposal }
  /** The proposal ends, even if a person has changed it or it waits for a second approval. */
  | { do: 'end'; proposal: Proposal; comment: string }
  /** The rejection no longer counts, nor do earlier ones of the pair. */
  | { do: 'lapse'; proposal: Proposal }
  /** The snoozed proposal has become more urgent: it returns to the buyer with the current numbers. */
  | { do: 'wake'; proposal: Proposal; urgency: Urgency; columns: ProposalColumns }

export interface Recalculation {
  pair: PairInputs
  input: ProposalInput
  result: ProposalResult
  open: Proposal[]
  lastRejected: Proposal | undefined
}

/**
 * The changes that a newer calculation makes to the proposals of a pair. A proposal that a person has changed stays, with the
 * newer calculation beside it, even if the pair has another supplier by now. An unchanged one is updated. A rejected one is
 * proposed again only after a material change.
 */
export function reconcile({
  pair,
  input,
  result,
  open,
  lastRejected,
}: Recalculation): ProposalChange[] {
  const openKey = openKeyOf(pair)
  const own = (proposal: Proposal) => proposal.openKey === openKey
  const kept = open.filter(isKept)
  const mine = kept.find(own) ?? kept[0] ?? open.find(own)
  if (result.kind !== 'order') {
    return [
      ...supersedeUntouched(open),
      ...annotationOf(mine, result),
      ...lapseOf(lastRejected, result),
    ]
  }
  const changes = supersedeUntouched(open.filter((proposal) => proposal !== mine))
  if (!mine) {
    if (lastRejected && !hasChangedMaterially(lastRejected, pair, result)) return changes
    if (lastRejected) changes.push({ do: 'lapse', proposal: lastRejected })
    const columns = { ...pairColumns(pair), ...orderColumns(pair, input, result) }
    return [...changes, { do: 'create', columns }]
  }
  if (hasBecomeMoreUrgent(mine, result.urgency)) {
    const { urgency } = result
    const columns = { ...pairColumns(pair), ...orderColumns(pair, input, result) }
    return [...changes, { do: 'wake', proposal: mine, urgency, columns }]
  }
  if (isKept(mine)) return [...changes, ...annotationOf(mine, result)]
  if (isSameOrder(mine, pair, result)) return [...changes, { do: 'confirm', proposal: mine }]
  return [...changes, { do: 'update', proposal: mine, columns: orderColumns(pair, input, result) }]
}

/** The changes to a transfer from another location; one that a person has changed stays. */
export function reconcileTransfer(
  { pair, input, result, open }: Omit<Recalculation, 'lastRejected'>,
  from: string,
): ProposalChange[] {
  const openKey = transferKeyOf(pair, from)
  const mine = open.find((proposal) => proposal.openKey === openKey)
  if (result.kind !== 'order' || (mine && isKept(mine))) return []
  const columns = orderColumns(pair, input, result)
  if (mine) {
    const isSame = isSameOrder(mine, pair, result)
    return [isSame ? { do: 'confirm', proposal: mine } : { do: 'update', proposal: mine, columns }]
  }
  const route = { kind: 'transfer', fromLocation: from, supplier: null, openKey } as const
  return [{ do: 'create', columns: { ...pairColumns(pair), ...route, ...columns } }]
}

/** Supersedes the proposals that nobody has touched. */
export const supersedeUntouched = (proposals: Proposal[]): ProposalChange[] =>
  proposals
    .filter((proposal) => !isKept(proposal))
    .map((proposal) => ({ do: 'supersede', proposal }))

/** The unique key that allows one open proposal for each pair and supplier. */
export const openKeyOf = ({ source, sku, location, supplier }: PairInputs) =>
  joinOpenKey(source, sku, location, supplier ?? '')

/** The unique key that allows one open transfer for each pair and giving location. */
export const transferKeyOf = ({ source, sku, location }: PairInputs, from: string) =>
  joinOpenKey(source, sku, location, `←${from}`)

/** Stores what would be proposed now, if that has changed since it was last stored. */
function annotationOf(mine: Proposal | undefined, result: ProposalResult): ProposalChange[] {
  if (!mine || !isKept(mine) || result.kind === 'blocked') return []
  const { calculation } = result
  const known = mine.newer?.calculation ?? mine.calculation
  if (sameCalculation(known, calculation)) return []
  const newer = sameCalculation(mine.calculation, calculation)
    ? null
    : { quantity: calculation.quantity, calculation }
  return [{ do: 'annotate', proposal: mine, newer }]
}

function lapseOf(rejected: Proposal | undefined, result: ProposalResult): ProposalChange[] {
  const isStillValid =
    !rejected || result.kind !== 'none' || !isGone(rejected.calculation, result.calculation)
  return isStillValid ? [] : [{ do: 'lapse', proposal: rejected }]
}

/** Another supplier is a material change. */
function hasChangedMaterially(
  { calculation, urgency, supplier }: Proposal,
  pair: PairInputs,
  result: Order,
) {
  if (supplier !== pair.supplier) return true
  const { quantity, lotSize } = calculation
  return isMaterial(
    { quantity, lotSize, urgency },
    { quantity: result.quantity, lotSize: result.calculation.lotSize, urgency: result.urgency },
  )
}

const isSameOrder = (proposal: Proposal, pair: PairInputs, result: Order) =>
  hasTermsOf(proposal, pair, result) &&
  sameCalculation(proposal.calculation, result.calculation) &&
  sameRules(proposal, result)

const hasTermsOf = (
  { quantity, urgency, orderBy, unitCost, currency }: KnownProposal | Proposal,
  pair: PairInputs,
  result: Order,
) =>
  Number(quantity) === result.quantity &&
  urgency === result.urgency &&
  orderBy === result.orderBy &&
  currency === pair.currency &&
  Number(unitCost) === Number(priceOf(pair, result))

/** Whether a pair's only proposal is the one that was calculated, column by column, and nobody has touched it. */
export function isConfirmed(
  pair: PairInputs,
  result: ProposalResult,
  [mine, ...others]: KnownProposal[],
): boolean {
  return (
    mine !== undefined &&
    others.length === 0 &&
    result.kind === 'order' &&
    isUntouched(mine) &&
    mine.openKey === openKeyOf(pair) &&
    hasTermsOf(mine, pair, result) &&
    isCalculationOf(mine, result.calculation)
  )
}

/** A proposal from before rules were stored is not updated only to add them. */
const sameRules = ({ calculation: { rules } }: Proposal, result: Order) =>
  !rules || JSON.stringify(rules) === JSON.stringify(result.calculation.rules)

/** The inputs of the calculation, without the numbers that the calculation repeats. */
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
  abcClass: pair.abcClass,
  supplier: pair.supplier,
  openKey: openKeyOf(pair),
})

/** Larger values have more digits than a double holds exactly, and about as many as the column stores. */
const LARGEST_VALUE_AT_RISK = 1e16

/** In the currency of the unit cost, with two decimals; null if a cost is unknown or the value too large to store. */
function valueAtRiskOf(unitCost: string | null, costOfWaiting: number | null): string | null {
  if (unitCost === null || costOfWaiting === null) return null
  const value = Number(unitCost) * costOfWaiting
  return Math.abs(value) < LARGEST_VALUE_AT_RISK ? value.toFixed(2) : null
}

const priceOf = (pair: PairInputs, { calculation, quantity }: Order) =>
  unitCostOf(pair.unitCost, calculation, quantity)

function orderColumns(pair: PairInputs, input: ProposalInput, result: Order): ProposalColumns {
  const unitCost = priceOf(pair, result)
  return {
    quantity: result.quantity,
    unitCost,
    currency: pair.currency,
    value: valueOf(unitCost, result.quantity),
    valueAtRisk: valueAtRiskOf(unitCost, result.costOfWaiting),
    rationale: result.rationale,
    urgency: result.urgency,
    // Proposals without a day come last.
    urgencyRank: result.orderBy === null ? URGENCIES.length : urgencyRank(result.urgency),
    orderBy: result.orderBy,
    asOf: pair.forecastAsOf,
    newer: null,
    confidence: pair.confidence?.(result.calculation.horizonDays) ?? null,
    exceptions: result.calculation.exceptions?.length
      ? result.calculation.exceptions.map(({ code }) => code)
      : null,
    basis: basisOf(pair, input),
    ...calculationColumns(result.calculation),
  }
}
