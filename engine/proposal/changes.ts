import { inventoryPosition, withoutNoise } from '../inventory/position.ts'
import { wholeStep } from '../inventory/lots.ts'
import { wholeTarget } from './sum.ts'
import { urgencyRank } from './urgency.ts'
import type { Calculation } from './calculation.ts'
import type { Urgency } from './urgency.ts'

/** What a proposal was, or now would be. */
export interface ProposalState {
  /** As calculated, before a buyer's edit; 0 where nothing is needed any more. */
  quantity: number
  lotSize: number
  /** Null where nothing is needed any more. */
  urgency: Urgency | null
}

/** The share by which the quantity must move before a rejected proposal may come back. */
const MATERIAL_SHARE = 0.2

/**
 * Whether the inputs of a rejected proposal moved enough that the same proposal may come back: the
 * calculated quantity changed by more than 20 % and by at least one lot, or the urgency got worse.
 */
export function isMaterial(before: ProposalState, after: ProposalState): boolean {
  if (after.quantity === 0 || after.urgency === null) return false
  const worse = before.urgency !== null && urgencyRank(after.urgency) < urgencyRank(before.urgency)
  return worse || moved(before, after, MATERIAL_SHARE)
}

/**
 * Whether what a rejected proposal was about has gone since: nothing is needed now, and the position is better by
 * more than 20 % of the rejected quantity and by at least one lot. When it is needed again, that is news.
 */
export function isGone(before: Calculation, after: Calculation): boolean {
  const gained = lackOf(before) - lackOf(after)
  const left = { quantity: before.quantity - gained, lotSize: after.lotSize }
  return after.quantity === 0 && gained > 0 && moved(before, left, MATERIAL_SHARE)
}

/** Below 0 where the position exceeds the target. */
const lackOf = (calculation: Calculation) =>
  wholeTarget(calculation) - inventoryPosition(calculation)

/**
 * Whether a proposal no longer stands for what its inputs say: today's calculated quantity differs
 * from the proposed one by more than `tolerance` (a share, e.g. 0.2) and by at least one lot.
 */
export function isStale(
  before: Pick<ProposalState, 'quantity' | 'lotSize'>,
  after: Pick<ProposalState, 'quantity' | 'lotSize'>,
  tolerance: number,
): boolean {
  return moved(before, after, tolerance)
}

/** Inputs whose change explains another quantity, in the order of the sum. */
const INPUTS = [
  'targetStock',
  'leadTimeSafety',
  'beyondHorizon',
  'backorders',
  'reserved',
  'onHand',
  'onOrder',
  'inInspection',
  'expiring',
  'openProposals',
  'drafts',
  'leadTimeDays',
  'reviewPeriodDays',
  'moq',
  'lotSize',
  'priceBreak',
  'supplierMinimum',
  'freeFreight',
  'quantity',
] as const

export interface InputChange {
  input: (typeof INPUTS)[number]
  /** A term that was or is not used counts as 0. */
  before: number
  after: number
}

/** The numbers of two calculations that differ, for a buyer to see what moved. */
export function inputChanges(before: Calculation, after: Calculation): InputChange[] {
  return INPUTS.map((input) => ({
    input,
    before: unitsOf(before[input]),
    after: unitsOf(after[input]),
  })).filter((change) => change.before !== change.after)
}

const unitsOf = (term: number | { units: number } = 0) =>
  typeof term === 'number' ? term : term.units

type Quantity = Pick<ProposalState, 'quantity' | 'lotSize'>

function moved(before: Quantity, after: Quantity, share: number): boolean {
  const change = Math.abs(after.quantity - before.quantity)
  const lot = wholeStep(after.lotSize) ?? 1
  return change >= lot && change > withoutNoise(before.quantity * share)
}
