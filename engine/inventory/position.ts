import type { Units } from '../types.ts'

export interface Position {
  /** Usable stock now; some ERPs let it go below zero. */
  onHand: Units
  /** Ordered, not yet received. */
  onOrder: Units
  /** Quantities of other open or approved proposals that no order stands for yet. */
  openProposals: Units
}

/**
 * Inventory position: IP = OH + OO + OP (units), all supply that is there or under way.
 * Backorders are part of OH where the ERP books them as negative stock.
 *
 * Source: Silver, Pyke, Thomas, Inventory and Production Management in Supply Chains, 4th ed., ch. 6.
 */
export function inventoryPosition({ onHand, onOrder, openProposals }: Position): Units {
  return withoutNoise(onHand + onOrder + openProposals)
}

/** Cuts the noise of binary fractions: sums of quantities are exact to a millionth of a unit. */
export function withoutNoise(units: Units): Units {
  const rounded = Math.round(units * 1e6) / 1e6
  return rounded === 0 ? 0 : rounded
}
