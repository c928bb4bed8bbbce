import type { TokenEndpointResponse } from 'openid-client'

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
