import {
  AuthorizationResponseError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import { Retriable } from '../../../adapters/errors.ts'
import { retryAfterMs } from '../../../adapters/http/retry-after.ts'

/** A refusal of the authorization server: the same request would be refused again. */
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

/** The code, if it is one of RFC 6749; other text of a server is never shown. */
export const knownCode = (code: string) =>
  CODES.has(code) || TEMPORARY.has(code) ? code : 'unknown'

/**
 * Translates an error of the OAuth library, which contains request and answer, into one that does not.
 */
export function toRefusal(error: unknown): OAuthRefusal | Retriable {
  if (error instanceof Retriable) return error
  if (error instanceof WWWAuthenticateChallengeError) return new OAuthRefusal('invalid_client')
  if (error instanceof AuthorizationResponseError) return new OAuthRefusal(knownCode(error.error))
  if (error instanceof ResponseBodyError) {
    const { error: code, status, response } = error
    if (status < 500 && status !== 429 && !TEMPORARY.has(code)) {
      return new OAuthRefusal(knownCode(code))
    }
    return unavailable(status, response)
  }
  const { cause } = error as { cause?: unknown }
  if (cause instanceof Retriable) return cause
  if (cause instanceof Response) return unavailable(cause.status, cause)
  return new Retriable("The ERP's authorization server gave no usable answer.")
}

const unavailable = (status: number, { headers }: Response) =>
  new Retriable(
    `The ERP's authorization server answered ${status}.`,
    retryAfterMs(headers.get('retry-after') ?? undefined, Date.now()),
  )
