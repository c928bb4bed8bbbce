import { hash } from 'node:crypto'
import cds from '@sap/cds'
import { ENGINE_VERSION } from '../../../engine/index.ts'
import type { StoredEvidence, Proposal } from '../../store/proposal.ts'
import { FORMULA_VERSION } from './formula.ts'

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

export function evidenceOf({ before, after, ...decision }: Decision): StoredEvidence {
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
    basis: basis ? (JSON.parse(basis) as StoredEvidence['basis']) : null,
    calculation,
    engineVersion: ENGINE_VERSION,
  }
}

/** The text that is stored, and its SHA-256 in hex, which the audit trail covers. */
export function sealedContent(content: StoredEvidence) {
  const text = JSON.stringify(content)
  return { text, digest: hash('sha256', text) }
}
