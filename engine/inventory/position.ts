import type { Units } from '../types.ts'

export interface Position {
  /** Usable stock now; some ERPs let it go below zero. */
  onHand: Units
  /** Ordered, not yet received, and due in time. */
  onOrder: Units
  /** Quantities of other open or approved proposals that no order stands for yet. */
  openProposals: Units
  /** In requisitions and other drafts of the ERP that count as coming. */
  drafts?: Units
  /** In quality inspection, usable in time. */
  inInspection?: Units
  /** Due to customers and not delivered, where it is not in OH as negative stock. */
  backorders?: Units
  /** Promised beyond what the forecast expects. */
  reserved?: Units
  /** On hand, and expected to expire unsold. */
  expiring?: Units
}

/**
 * Inventory position: IP = OH + OO + OP + DR + QI − BO − RE − EX (units), all supply that is there or under way, less
 * backorders, what is reserved and what expires unsold.
 *
 * Source: Silver, Pyke, Thomas, Inventory and Production Management in Supply Chains, 4th ed., ch. 6.
 */
export function inventoryPosition(position: Position): Units {
  const {
    onHand,
    onOrder,
    openProposals,
    drafts = 0,
    inInspection = 0,
    backorders = 0,
    reserved = 0,
    expiring = 0,
  } = position
  return withoutNoise(
    onHand + onOrder + openProposals + drafts + inInspection - backorders - reserved - expiring,
  )
}

/** Cuts the noise of binary fractions: sums of quantities are exact to a millionth of a unit. */
export function withoutNoise(units: Units): Units {
  const rounded = Math.round(units * 1e6) / 1e6
  return rounded === 0 ? 0 : rounded
}
