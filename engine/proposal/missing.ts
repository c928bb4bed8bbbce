import { wholeStep } from '../inventory/lots.ts'
import type { ProposalInput } from './input.ts'

export type MissingInput = 'lead_time' | 'stock' | 'supplier' | 'unit_conversion' | 'cost'

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
