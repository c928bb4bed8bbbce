import type { Scope } from './scopes.ts'

export const KEYS = 'restock.ApiKeys'

/** A row of restock.ApiKeys; timestamps in ISO 8601. */
export interface KeyRow {
  ID: string
  name: string
  secretHash: string
  /** Joined by a comma. */
  scopes: string
  actsAs: string | null
  maxOrderValue: string | null
  createdAt: string
  createdBy: string
  expiresAt: string
  revokedAt: string | null
  rotatedTo: string | null
}

export const scopesOf = ({ scopes }: KeyRow) => scopes.split(',') as Scope[]
