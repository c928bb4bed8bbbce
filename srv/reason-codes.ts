import type { Reason } from '#cds-models/ProposalsService'

/** Why a buyer does not want an order; the same behind every door. */
export const REASON_CODES = [
  'not_needed',
  'too_much',
  'too_early',
  'wrong_supplier',
  'price',
  'discontinued',
  'other',
] as const satisfies readonly Reason[]
