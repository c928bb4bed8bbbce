// Why a source has no valid right, in words for its admin. Nothing that an ERP says is repeated but known
// codes and the names of rights.
import { Retriable } from '../../adapters/errors.ts'
import { knownCode, OAuthRefusal } from './oauth/refusal.ts'
import type { Tokens } from './oauth/tokens.ts'
import { excessOf, grantedOf } from './rights.ts'

/** `code` is an open list. */
export interface Problem {
  code: string
  message: string
}

export const CLIENT_REFUSED: Problem = {
  code: 'client_refused',
  message: 'The ERP refuses the client and its secret: connect again with the valid ones.',
}

const isOfClient = (code: string) => code === 'invalid_client' || code === 'unauthorized_client'

export const BROKEN: Problem = {
  code: 'consent_failed',
  message: 'Something went wrong on our side: connect once more.',
}

/** What the browser brought back instead of a code. */
export function problemOfAnswer(error: string | null): Problem {
  if (error === 'access_denied') {
    return { code: 'consent_denied', message: 'The consent was denied.' }
  }
  const code = error === null ? 'no code' : knownCode(error)
  return { code: 'consent_failed', message: `The ERP did not give a consent (${code}).` }
}

/** Why the code could not be exchanged; null for an error of our own. */
export function problemOfExchange(failure: unknown): Problem | null {
  if (failure instanceof OAuthRefusal) {
    const { code } = failure
    if (isOfClient(code)) return CLIENT_REFUSED
    const message = `The ERP does not accept what the consent page gave (${code}): connect once more.`
    return { code: 'consent_failed', message }
  }
  if (failure instanceof Retriable) {
    return { code: 'consent_failed', message: `${failure.message} Connect once more.` }
  }
  return null
}

/** What is wrong with the rights of a token; null where they may be taken. */
export function problemOfRights({ scopes }: Tokens, asked: string[]): Problem | null {
  const excess = excessOf(scopes, asked)
  if (excess.length) {
    return {
      code: 'unexpected_rights',
      message:
        `The ERP granted rights that were not asked for (${excess.join(', ').slice(0, 300)}). ` +
        'They were not accepted: take them from the client, then connect once more.',
    }
  }
  if (!asked.length || grantedOf(scopes, asked).length) return null
  return { code: 'no_rights', message: 'None of the rights needed was granted.' }
}

export const NO_TOKENS: Problem = {
  code: 'consent_ended',
  message: 'There are no tokens for this source: connect it again.',
}

/** Why a refresh was refused. */
export function problemOfRefresh({ code }: OAuthRefusal): Problem {
  if (isOfClient(code)) return CLIENT_REFUSED
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
