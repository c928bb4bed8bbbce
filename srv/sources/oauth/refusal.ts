import {
  AuthorizationResponseError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import { Retriable } from '../../../adapters/errors.ts'

/** The authorization server said no; asking again in the same way is of no use. */
export class OAuthRefusal extends Error {
  override name = 'OAuthRefusal'
  /** One of RFC 6749, such as `invalid_grant`; `unknown` where the server sent something else. */
  readonly code: string
  constructor(code: string) {
    super(`The ERP's authorization server refused: ${code}.`)
    this.code = code
  }
}

const CODES = new Set([
  ...['invalid_request', 'invalid_client', 'invalid_grant', 'unauthorized_client'],
  ...['unsupported_grant_type', 'invalid_scope', 'access_denied', 'unsupported_response_type'],
])
const TEMPORARY = new Set(['server_error', 'temporarily_unavailable'])

/** A code that may be shown; whatever else a server sends is not repeated. */
export const knownCode = (code: string) =>
  CODES.has(code) || TEMPORARY.has(code) ? code : 'unknown'

/**
 * What came of a call to an authorization server, without what was sent or answered: the library's
 * errors carry both.
 */
export function refusalOf(error: unknown): OAuthRefusal | Retriable {
  if (error instanceof Retriable) return error
  if (error instanceof WWWAuthenticateChallengeError) return new OAuthRefusal('invalid_client')
  if (error instanceof AuthorizationResponseError) return new OAuthRefusal(knownCode(error.error))
  if (error instanceof ResponseBodyError) {
    const { error: code, status, response } = error
    if (status < 500 && status !== 429 && !TEMPORARY.has(code)) {
      return new OAuthRefusal(knownCode(code))
    }
    return new Retriable(`The ERP's authorization server answered ${status}.`, waitOf(response))
  }
  const { cause } = error as { cause?: unknown }
  if (cause instanceof Retriable) return cause
  if (cause instanceof Response) {
    const message = `The ERP's authorization server answered ${cause.status}.`
    return new Retriable(message, waitOf(cause))
  }
  return new Retriable("The ERP's authorization server gave no usable answer.")
}

/** Retry-After, in milliseconds: RFC 9110, section 10.2.3. */
function waitOf({ headers }: Response): number | undefined {
  const text = headers.get('retry-after')
  if (text === null) return undefined
  if (/^\d{1,6}$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now())
}
