import type { Scope } from './scopes.ts'

/** A row of restock.ApiKeys; timestamps in ISO 8601. */
export interface KeyRow {
  ID: string
  name: string
  secretHash: string
  scopes: Scope[]
  actsAs: string | null
  maxOrderValue: string | null
  createdAt: string
  createdBy: string
  expiresAt: string
  revokedAt: string | null
  rotatedTo: string | null
}
