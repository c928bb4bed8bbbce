import type { StreamCheck } from '../../adapters/adapter.ts'

/** An adapter may say which of the needed rights a stream stands on. */
type RightsCheck = StreamCheck & { rights?: string[] }

/** Scopes of a token that nobody asked for; a server that names none grants those asked for (RFC 6749, 5.1). */
export const excessOf = (granted: string[] | null, asked: string[]): string[] =>
  granted?.filter((scope) => !asked.includes(scope)) ?? []

/** Of the rights needed, those granted, in their order. */
export const grantedOf = (granted: string[] | null, asked: string[]): string[] =>
  granted === null ? asked : asked.filter((scope) => granted.includes(scope))

/** Where rights are no scopes, a stream that is forbidden tells of the rights it stands on. */
export function grantedByCheck(needed: string[], checks: RightsCheck[]): string[] {
  const lacking = new Set(
    checks.flatMap(({ status, rights }) => (status === 'forbidden' ? (rights ?? []) : [])),
  )
  return needed.filter((right) => !lacking.has(right))
}
