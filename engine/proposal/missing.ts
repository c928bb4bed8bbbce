import { ceilTo, wholeStep } from '../inventory/lots.ts'
import type { Calculation } from './calculation.ts'
import type { ProposalInput } from './input.ts'
import { plain } from './plain.ts'

export type MissingInput =
  'lead_time' | 'stock' | 'open_orders' | 'supplier' | 'unit_conversion' | 'cost'

export interface Missing {
  missing: MissingInput
  /** One sentence that says what to maintain. */
  reason: string
}

/** What must be maintained before the pair can be proposed; nothing is ever guessed for it. */
export function findMissing({ position, planning, policy }: ProposalInput): Missing[] {
  const missing: Missing[] = []
  if (position.onHand === null) {
    missing.push({ missing: 'stock', reason: 'The source names no stock on hand for this pair.' })
  }
  if (position.unreadOrders) missing.push({ missing: 'open_orders', reason: position.unreadOrders })
  if (planning.leadTimeDays === null) {
    missing.push({ missing: 'lead_time', reason: 'The source names no lead time for this pair.' })
  }
  if (policy.supplierRequired && !planning.supplier) {
    missing.push({ missing: 'supplier', reason: 'The source names no supplier for this pair.' })
  }
  if (planning.lotSize && wholeStep(planning.lotSize) === null) {
    missing.push({
      missing: 'unit_conversion',
      reason: `No whole quantity is a sensible multiple of the lot size ${planning.lotSize}.`,
    })
  }
  return missing
}

/** Of a fractional lot: so few reach a whole number that an order may be rounded up to it. */
const FEW_LOTS = 5
/** An order of more than so many times what the lots themselves ask for is none that anybody wants. */
const MOST_TIMES = 2

/** A fractional lot whose whole multiple is far more than the need, such as 7243 of lots of 362.15; null: it is none. */
export function findLotTooFine({
  lotSize,
  moq,
  netRequirement,
  quantity,
}: Pick<Calculation, 'lotSize' | 'moq' | 'netRequirement' | 'quantity'>): Missing | null {
  const step = wholeStep(lotSize)
  if (step === null || step <= FEW_LOTS * lotSize + 1e-9) return null
  const wanted = Math.max(1, ceilTo(Math.max(netRequirement, moq), lotSize))
  if (quantity <= MOST_TIMES * wanted) return null
  return {
    missing: 'unit_conversion',
    reason: `Lots of ${lotSize} make a whole quantity only with ${step}, and ${plain(netRequirement)} are missing: correct the lot size, or keep the SKU in a smaller unit.`,
  }
}
