// Why a source has no access, in sentences for its admin. Of an ERP's answer they repeat only codes of RFC 6749
// and names of rights.
import type { ExpectedParameter, StreamCheck } from '../../../adapters/adapter.ts'
import { Retriable } from '../../../adapters/errors.ts'
import { knownCode, OAuthRefusal, type Tokens } from './oauth/tokens.ts'

/** `code` is an open list. */
export interface Problem {
  code: string
  message: string
}

export const CLIENT_REFUSED: Problem = {
  code: 'client_refused',
  message: 'The ERP refuses the client and its secret: connect again with the valid ones.',
}

const isClientFault = (code: string) => code === 'invalid_client' || code === 'unauthorized_client'

export const CONSENT_FAILED: Problem = {
  code: 'consent_failed',
  message: 'Restock could not complete the consent because of an internal error: connect again.',
}

export const PROOF_MISSING: Problem = {
  code: 'consent_failed',
  message: 'What proves that the consent was asked for here (PKCE) is missing: connect again.',
}

export const ISSUER_MISMATCH: Problem = {
  code: 'issuer_mismatch',
  message:
    'The answer names another authorization server than the one that was asked, and was not used. ' +
    'Connect again; if it is the right one, its name is the option issuer.',
}

/** The problem of a callback without an authorization code. */
export function problemOfError(error: string | null): Problem {
  if (error === 'access_denied') {
    return { code: 'consent_denied', message: 'The consent was denied.' }
  }
  const code = error === null ? 'no code' : knownCode(error)
  return { code: 'consent_failed', message: `The ERP returned no consent (${code}).` }
}

/** The problem of a consent to something else than what was asked for. */
export const problemOfParameter = ({ refusal }: ExpectedParameter): Problem => ({
  code: 'consent_mismatch',
  message: `${refusal} It was not used: connect again.`,
})

/** Why the code could not be exchanged; null for an error of our own. */
export function problemOfExchange(failure: unknown): Problem | null {
  if (failure instanceof OAuthRefusal) {
    const { code } = failure
    if (isClientFault(code)) return CLIENT_REFUSED
    const message = `The ERP does not accept the code of its consent page (${code}): connect again.`
    return { code: 'consent_failed', message }
  }
  if (failure instanceof Retriable) {
    return { code: 'consent_failed', message: `${failure.message} Connect again.` }
  }
  return null
}

/** Why a token is not accepted because of its rights; null where it is. */
export function problemOfRights({ scopes }: Tokens, asked: string[]): Problem | null {
  const excess = excessScopes(scopes, asked)
  if (excess.length) {
    return {
      code: 'unexpected_rights',
      message:
        `The ERP granted rights that were not asked for (${excess.join(', ').slice(0, 300)}). ` +
        'They were not accepted: remove them from the client, then connect again.',
    }
  }
  if (!asked.length || grantedScopes(scopes, asked).length) return null
  return { code: 'no_rights', message: 'None of the needed rights was granted.' }
}

export const NO_TOKENS: Problem = {
  code: 'consent_ended',
  message: 'There are no tokens for this source: connect it again.',
}

/** Why a refresh was refused. */
export function problemOfRefresh({ code }: OAuthRefusal): Problem {
  if (isClientFault(code)) return CLIENT_REFUSED
  if (code === 'unexpected_rights') {
    return {
      code,
      message:
        'The ERP granted rights that were not asked for: connect again with a client that has only those needed.',
    }
  }
  return {
    code: 'consent_ended',
    message: `The ERP no longer accepts the consent (${code}): connect again.`,
  }
}

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
