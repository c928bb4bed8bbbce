import type { StreamCheck } from '../../adapters/adapter.ts'

/** A check in which the adapter names the rights that the stream needs. */
type RightsCheck = StreamCheck & { rights?: string[] }

/** Scopes that were granted but not requested. A server that states none grants those requested (RFC 6749, 5.1). */
export const excessScopes = (granted: string[] | null, asked: string[]): string[] =>
  granted?.filter((scope) => !asked.includes(scope)) ?? []

/** The requested scopes that were granted. */
export const grantedScopes = (granted: string[] | null, asked: string[]): string[] =>
  granted === null ? asked : asked.filter((scope) => granted.includes(scope))

/** The needed rights without those of forbidden streams, for ERPs without scopes. */
export function rightsGrantedByCheck(needed: string[], checks: RightsCheck[]): string[] {
  const missing = new Set(
    checks.flatMap(({ status, rights }) => (status === 'forbidden' ? (rights ?? []) : [])),
  )
  return needed.filter((right) => !missing.has(right))
}
