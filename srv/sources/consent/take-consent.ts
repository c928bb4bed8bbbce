import cds from '@sap/cds'
import { hashOfState } from '../access/store-access.ts'
import { Consents } from '../../store/entities.ts'

const { SELECT, UPDATE } = cds.ql

/** A consent that a browser has come back for. */
export interface Consent {
  source: number
  stateHash: string
  redirectUri: string
  clientId: string
  scopes: string[]
  requestedBy: string | null
}

/** `unknown`: never asked for, or asked for anew since. */
export type Unusable = 'unknown' | 'used' | 'expired'

/** Takes the consent that was asked for with this `state`; exactly one caller gets it, once. */
export async function takeConsent(state: string): Promise<Consent | Unusable> {
  const stateHash = hashOfState(state)
  const row = await SELECT.one.from(Consents).where({ stateHash })
  if (!row) return 'unknown'
  if (row.usedAt) return 'used'
  const now = new Date().toISOString()
  if (row.expiresAt! < now) return 'expired'
  const claimed: unknown = await UPDATE.entity(Consents)
    .set({ usedAt: now })
    .where({ stateHash, usedAt: null })
  if (claimed !== 1) return 'used'
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
