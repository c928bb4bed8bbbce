import {
  AuthorizationResponseError,
  ResponseBodyError,
  type TokenEndpointResponse,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import type { Adapter, AuthPlan, Connection } from '../../../../adapters/adapter.ts'
import { Retriable } from '../../../../adapters/errors.ts'
import { retryAfterMs } from '../../../../adapters/http/retry-after.ts'

/** Additions to the plan of an adapter. */
interface PlanAdditions {
  /** Revocation endpoint (RFC 7009), if the server has one. */
  revocationEndpoint?: string
  /** PEM file of the certification authorities of a private system. */
  caFile?: string | null
}

export type Plan = AuthPlan & PlanAdditions
export type ConsentPlan = Extract<AuthPlan, { kind: 'authorization_code' }> & PlanAdditions
export type ClientPlan = Extract<AuthPlan, { kind: 'client_credentials' }> & PlanAdditions
export type TokenPlan = ConsentPlan | ClientPlan

/** How a source is authorized. @throws Fatal where account or options contain no usable address */
export function planOf(adapter: Adapter, connection: Connection): Plan {
  const { ca_file: caFile } = connection.options
  return { ...adapter.auth(connection), caFile: typeof caFile === 'string' ? caFile : null }
}

/** The tokens of a source, as they are stored. Times are milliseconds since the epoch. */
export interface Tokens {
  accessToken: string
  refreshToken: string | null
  /** When to request new tokens; null where the server states no expiry. */
  renewAt: number | null
  /** The granted scopes; null where the server does not state them, which means those requested (RFC 6749, 5.1). */
  scopes: string[] | null
}

const RENEWAL_MARGIN_MS = 60_000

/** Tokens from the answer of a token endpoint; `expires_in` counts from now. */
export function toTokens(answer: TokenEndpointResponse): Tokens {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = answer
  return {
    accessToken,
    refreshToken: refreshToken ?? null,
    renewAt: seconds === undefined ? null : renewalTime(seconds * 1000),
    scopes: answer.scope?.split(' ').filter((scope) => scope !== '') ?? null,
  }
}

/** A minute before the expiry, or a tenth of a short lifetime before it. */
export const renewalTime = (lifetime: number) =>
  Date.now() + lifetime - Math.min(RENEWAL_MARGIN_MS, lifetime / 10)

export const headerOf = ({ accessToken }: Tokens) => `Bearer ${accessToken}`

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
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'access_denied',
  'unsupported_response_type',
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
