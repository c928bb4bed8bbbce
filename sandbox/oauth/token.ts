// /sap/bc/sec/oauth2/token
import { createHash } from 'node:crypto'
import { CLIENT, knownScopes } from '../behaviour.ts'
import { readForm, sendJson } from '../http.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { State } from '../state.ts'
import type { Grant } from './tokens.ts'

export async function token(state: State, request: IncomingMessage, response: ServerResponse) {
  const refuse = (status: number, error: string) =>
    sendJson(response, status, { error, error_description: `Refused: ${error}` })
  if (request.method !== 'POST') return refuse(405, 'invalid_request')
  const type = request.headers['content-type'] ?? ''
  if (!type.startsWith('application/x-www-form-urlencoded')) return refuse(400, 'invalid_request')
  const form = await readForm(request)
  if (request.headers.authorization !== state.basic) return refuse(401, 'invalid_client')
  const grant = grantOf(state, form)
  if (typeof grant === 'string') return refuse(400, grant)
  const { tokenSeconds, tokenGraceSeconds } = state.behaviour
  sendJson(response, 200, {
    access_token: state.tokens.access(grant, tokenSeconds + tokenGraceSeconds),
    token_type: 'Bearer',
    expires_in: tokenSeconds,
    ...(grant.isRenewable && { refresh_token: grant.refreshToken ?? state.tokens.refresh(grant) }),
    scope: grant.scopes.join(' '),
  })
}

interface StoredGrant extends Grant {
  isRenewable: boolean
  /** The refresh token to keep, where it is not rotated. */
  refreshToken?: string
}

/** The grant, or the OAuth error code. */
function grantOf(state: State, form: URLSearchParams): StoredGrant | string {
  const { behaviour } = state
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return byCode(state, form)
    case 'refresh_token':
      return byRefresh(state, form)
    case 'client_credentials':
      if (!behaviour.auth.includes('client_credentials')) return 'unauthorized_client'
      return byClient(state, form)
    default:
      return 'unsupported_grant_type'
  }
}

function byCode(state: State, form: URLSearchParams): StoredGrant | string {
  const code = state.tokens.redeem(form.get('code') ?? '')
  if (!code || code.redirectUri !== form.get('redirect_uri')) return 'invalid_grant'
  if (state.behaviour.pkce !== 'ignored') {
    const verifier = form.get('code_verifier')
    const hash = verifier && createHash('sha256').update(verifier).digest('base64url')
    // A verifier without a challenge is wrong too: somebody has taken the challenge away (RFC 9700, 2.1.1).
    if ((hash ?? null) !== code.challenge) return 'invalid_grant'
  }
  return { user: code.user, scopes: code.scopes, isRenewable: true }
}

function byRefresh(state: State, form: URLSearchParams): StoredGrant | string {
  const { rotateRefresh, refreshRefused } = state.behaviour
  if (refreshRefused) return 'invalid_grant'
  const refreshToken = form.get('refresh_token') ?? ''
  const grant = state.tokens.refreshed(refreshToken, rotateRefresh)
  if (!grant) return 'invalid_grant'
  return { ...grant, isRenewable: true, ...(!rotateRefresh && { refreshToken }) }
}

function byClient({ behaviour }: State, form: URLSearchParams): StoredGrant | string {
  const known = knownScopes(behaviour)
  const asked = (form.get('scope') ?? '').split(' ').filter(Boolean)
  if (asked.some((scope) => !known.includes(scope))) return 'invalid_scope'
  const { grantExtra, grantWithout } = behaviour
  const all = [...(asked.length > 0 ? asked : known), ...grantExtra]
  const scopes = all.filter((scope) => !grantWithout.includes(scope))
  return { user: CLIENT.id, scopes, isRenewable: false }
}
