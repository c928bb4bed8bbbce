// Microsoft Entra ID: consent, tokens with PKCE, refresh tokens that are used once.
import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readForm, redirect, sendHtml, sendJson } from '../http.ts'
import type { BusinessCentralBehaviour } from './behaviour.ts'

export const CLIENT = { id: 'restock', secret: 'sandbox-secret' }

interface Grant {
  challenge: string | null
  scope: string
}

export class Entra {
  readonly #behaviour: BusinessCentralBehaviour
  readonly #codes = new Map<string, Grant>()
  readonly #refreshTokens = new Set<string>()
  readonly #access = new Map<string, number>()

  constructor(behaviour: BusinessCentralBehaviour) {
    this.#behaviour = behaviour
  }

  /** Everybody consents at once. */
  authorize({ searchParams }: URL, response: ServerResponse): void {
    const back = searchParams.get('redirect_uri')
    if (searchParams.get('client_id') !== CLIENT.id || !back) {
      return sendHtml(response, 400, '<h1>AADSTS700016</h1>')
    }
    const code = randomBytes(16).toString('hex')
    const scope = searchParams.get('scope') ?? ''
    this.#codes.set(code, { challenge: searchParams.get('code_challenge'), scope })
    const to = new URL(back)
    to.searchParams.set('code', code)
    to.searchParams.set('state', searchParams.get('state') ?? '')
    to.searchParams.set('session_state', 'x')
    redirect(response, to.href)
  }

  async token(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = await readForm(request)
    const basic = `Basic ${Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64')}`
    if (request.headers.authorization !== basic) return refuse(response, 401, 'invalid_client')
    const kind = form.get('grant_type')
    if (kind === 'client_credentials') return sendJson(response, 200, this.#tokens(null, false))
    if (kind === 'refresh_token') {
      if (!this.#refreshTokens.delete(form.get('refresh_token') ?? '')) {
        return refuse(response, 400, 'invalid_grant')
      }
      return sendJson(response, 200, this.#tokens(DELEGATED, true))
    }
    const grant = this.#codes.get(form.get('code') ?? '')
    this.#codes.delete(form.get('code') ?? '')
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (!grant || grant.challenge !== proof) return refuse(response, 400, 'invalid_grant')
    sendJson(response, 200, this.#tokens(DELEGATED, grant.scope.includes('offline_access')))
  }

  /** Scopes are those of the resource alone: no `offline_access`, but all that was ever consented to. */
  #tokens(scope: string | null, hasRefresh: boolean) {
    const { furtherScopes, tokenSeconds } = this.#behaviour
    const access = randomBytes(16).toString('hex')
    const refresh = randomBytes(16).toString('hex')
    this.#access.set(access, Date.now() + tokenSeconds * 1000)
    if (hasRefresh) this.#refreshTokens.add(refresh)
    return {
      ...{ token_type: 'Bearer', expires_in: tokenSeconds, access_token: access },
      ...(scope && { scope: [scope, ...furtherScopes].join(' ') }),
      ...(hasRefresh && { refresh_token: refresh }),
    }
  }

  isValid(header: string | undefined): boolean {
    return (this.#access.get(header?.replace('Bearer ', '') ?? '') ?? 0) > Date.now()
  }
}

const DELEGATED = 'https://api.businesscentral.dynamics.com/Financials.ReadWrite.All'

const refuse = (response: ServerResponse, status: number, error: string) =>
  sendJson(response, status, { error, error_description: 'AADSTS: refused.' })
