import type { Reason } from '#cds-models/ProposalsService'

/** Reasons of a rejection, the same in every app and interface. */
export const REASON_CODES = [
  'not_needed',
  'too_much',
  'too_early',
  'wrong_supplier',
  'price',
  'discontinued',
  'other',
] as const satisfies readonly Reason[]
