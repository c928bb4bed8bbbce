import { hash } from 'node:crypto'
import cds from '@sap/cds'
import { ENGINE_VERSION } from '../../../engine/index.ts'
import type { Calculation } from '../../../engine/proposal/index.ts'
import type { Proposal } from '../to-proposal.ts'
import { FORMULA_VERSION } from './formula.ts'

/** What a calculation was made from, as the run that made it kept it: a JSON object. */
export type Basis = Record<string, unknown>

/** All that a decision was made from; complete in itself. */
export interface EvidenceContent {
  /** Which form of the sum it follows. */
  formula: number
  proposal: number
  version: number
  event: string
  at: string
  by: string
  onBehalfOf: string | null
  via: string
  /** The API key that it came by, where it came by one. */
  key: string | null
  /** The status before. */
  from: string
  sku: string
  location: string
  supplier: string | null
  /** What was decided about, after a buyer's edit. */
  quantity: number
  unitCost: string | null
  value: string | null
  currency: string | null
  urgency: string
  reason: string | null
  comment: string | null
  /** Of the calculation; null where it was made before this was kept. */
  basis: Basis | null
  calculation: Calculation
  /** Of the service at the moment of the decision. */
  engineVersion: string
}

interface Decision {
  before: Proposal
  after: Proposal
  event: string
  at: string
  by: string
  onBehalfOf: string | null
  via: string
  comment: string | null
}

export function evidenceOf({ before, after, ...decision }: Decision): EvidenceContent {
  const { ID, version, sku, location, supplier, quantity, urgency, calculation } = after
  const { unitCost, value, currency, reason, basis } = after
  const key = (cds.context?.user?.attr as { key?: string } | undefined)?.key ?? null
  return {
    formula: FORMULA_VERSION,
    proposal: ID,
    version,
    ...decision,
    key,
    from: before.status,
    ...{ sku, location, supplier, quantity, unitCost, value, currency, urgency },
    reason: reason ?? null,
    basis: basis ? JSON.parse(basis) : null,
    calculation,
    engineVersion: ENGINE_VERSION,
  }
}

/** The text that is stored, and its SHA-256 in hex, which the audit trail covers. */
export function sealedContent(content: EvidenceContent) {
  const text = JSON.stringify(content)
  return { text, digest: hash('sha256', text) }
}
