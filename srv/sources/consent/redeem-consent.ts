import { hashState } from '../access/store-access.ts'
import { Consents } from '../../store/entities.ts'

/** A request for consent to which the browser has returned. */
export interface Consent {
  source: number
  stateHash: string
  redirectUri: string
  clientId: string
  scopes: string[]
  requestedBy: string | null
}

/** `unknown`: never requested, or replaced by a later request. */
export type UnusableConsent = 'unknown' | 'used' | 'expired'

/** Redeems the consent that was requested with this `state`: it succeeds for exactly one caller, once. */
export async function redeemConsent(state: string): Promise<Consent | UnusableConsent> {
  const stateHash = hashState(state)
  const row = await SELECT.one.from(Consents).where({ stateHash })
  if (!row) return 'unknown'
  if (row.usedAt) return 'used'
  const now = new Date().toISOString()
  if (row.expiresAt! < now) return 'expired'
  const updated: unknown = await UPDATE.entity(Consents)
    .set({ usedAt: now })
    .where({ stateHash, usedAt: null })
  if (updated !== 1) return 'used'
  const { source_ID: source, redirectUri, clientId, requestedBy } = row
  return {
    source: source,
    stateHash,
    redirectUri: redirectUri!,
    clientId: clientId!,
    requestedBy,
    scopes: JSON.parse(row.scopes!) as string[],
  }
}
