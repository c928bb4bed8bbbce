import type { TokenEndpointResponse } from 'openid-client'

/** The tokens of a source, as they are stored. Times are milliseconds since the epoch. */
export interface Tokens {
  accessToken: string
  refreshToken: string | null
  /** From when on another one is to be got; null where the server names no end. */
  renewAt: number | null
  /** The scopes that the server says it granted; null where it says nothing: those asked for. */
  scopes: string[] | null
}

const MARGIN_MS = 60_000

/** The answer of a token endpoint; what it calls seconds counts from now. */
export function toTokens(answer: TokenEndpointResponse): Tokens {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = answer
  return {
    accessToken,
    refreshToken: refreshToken ?? null,
    renewAt: seconds === undefined ? null : renewalOf(seconds * 1000),
    scopes: answer.scope?.split(' ').filter((scope) => scope !== '') ?? null,
  }
}

/** A minute before the end, or a tenth of a short life. */
export const renewalOf = (life: number) => Date.now() + life - Math.min(MARGIN_MS, life / 10)

export const headerOf = ({ accessToken }: Tokens) => `Bearer ${accessToken}`
