import { inventoryPosition, withoutNoise } from '../inventory/position.ts'
import { netRequirement } from '../inventory/order-up-to.ts'
import { orderQuantity } from '../inventory/limits.ts'
import type { Calculation } from './calculation.ts'
import type { Units } from '../types.ts'

/** The terms of a calculation that decide about its quantity. */
export type Terms = Pick<
  Calculation,
  | 'targetStock'
  | 'leadTimeSafety'
  | 'beyondHorizon'
  | 'coveredLater'
  | 'lostBeforeArrival'
  | 'backorders'
  | 'reserved'
  | 'inInspection'
  | 'expiring'
  | 'onHand'
  | 'onOrder'
  | 'openProposals'
  | 'drafts'
  | 'moq'
  | 'lotSize'
  | 'limit'
>

/**
 * All that the order must cover: target stock + lead time safety + beyond the horizon − what later
 * receipts cover − what is lost before it arrives.
 */
export function wholeTarget(terms: Terms): Units {
  const { targetStock, leadTimeSafety = 0, beyondHorizon = 0 } = terms
  const { coveredLater = 0, lostBeforeArrival = 0 } = terms
  return withoutNoise(
    targetStock + leadTimeSafety + beyondHorizon - coveredLater - lostBeforeArrival,
  )
}

export function netOf(terms: Terms): Units {
  return netRequirement(wholeTarget(terms), inventoryPosition(terms))
}

/** Without what the supplier's whole order added. */
export function quantityOfPair(calculation: Raised): Units {
  const { quantity, supplierMinimum = 0, freeFreight } = calculation
  return quantity - supplierMinimum - (freeFreight?.units ?? 0)
}

type Raised = Pick<Calculation, 'quantity' | 'supplierMinimum' | 'freeFreight'>

export function quantityOf(terms: Terms): Units {
  return orderQuantity(netOf(terms), terms, terms.limit)
}
