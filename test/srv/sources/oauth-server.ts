// An authorization server and the ERP behind it, as small as the tests of consent and tokens allow.
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export const SCOPES = ['STOCK_0001', 'ORDERS_0001']
/** With characters that RFC 6749 would have form-encoded, and a log might break at. */
export const CLIENT = { id: 'RESTOCK_1', secret: 'hush/+%=& client-secret' }

interface Grant {
  challenge: string | null
  redirectUri: string
  scope: string
}

export class OAuthServer {
  url = ''
  /** Bodies of the calls to the token endpoint, and `revoked` for the tokens that were ended. */
  readonly calls: URLSearchParams[] = []
  readonly revoked: string[] = []
  /** Every secret that was ever given out: none of them may be found anywhere else. */
  readonly secrets: string[] = [CLIENT.secret]
  tokenSeconds: number | null = 3600
  /** Whether a refresh gives a new refresh token and ends the old one; otherwise it gives none. */
  rotates = true
  /** Scopes that a token says it has; null: it says nothing. */
  scope: ((asked: string) => string) | null = null
  delayMs = 0
  /** What the token endpoint waits for before it answers. */
  gate: Promise<void> | null = null
  /** Answered by the token endpoint instead of tokens. */
  broken: { status: number; type?: string; body: string; headers?: Record<string, string> } | null =
    null
  /** What the revocation endpoint answers; `torn`: nothing, the connection breaks. */
  revocation: 200 | 400 | 503 | 'torn' = 200
  /** The ERP refuses every token. */
  locked = false

  readonly #codes = new Map<string, Grant>()
  readonly #refreshTokens = new Set<string>()
  readonly #accessTokens = new Set<string>()
  readonly #server = createServer((request, response) => {
    void this.#answer(request, response)
  })

  async listen() {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done))
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close() {
    this.#server.closeAllConnections()
    return new Promise((done) => this.#server.close(done))
  }

  /** What the consent page does when somebody allows it. @returns where it sends the browser */
  allow(authorizationUrl: string): string {
    const { searchParams: asked } = new URL(authorizationUrl)
    const code = this.#secret('code')
    const redirectUri = asked.get('redirect_uri')!
    const challenge = asked.get('code_challenge')
    this.#codes.set(code, { challenge, redirectUri, scope: asked.get('scope')! })
    return `${redirectUri}?code=${code}&state=${asked.get('state')}`
  }

  deny(authorizationUrl: string, error = 'access_denied'): string {
    const { searchParams: asked } = new URL(authorizationUrl)
    return `${asked.get('redirect_uri')}?error=${error}&state=${asked.get('state')}`
  }

  /** Whether the ERP takes this Authorization header. */
  takes(header: string) {
    return !this.locked && this.#accessTokens.has(header.replace('Bearer ', ''))
  }

  expire(header: string) {
    this.#accessTokens.delete(header.replace('Bearer ', ''))
  }

  #secret(kind: string) {
    const secret = `${kind}-${randomBytes(18).toString('hex')}`
    this.secrets.push(secret)
    return secret
  }

  async #answer(request: IncomingMessage, response: ServerResponse) {
    const body = new URLSearchParams(await textOf(request))
    const send = (status: number, json: object, headers = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(json))
    if (request.url === '/revoke') {
      if (this.revocation === 'torn') return request.socket.destroy()
      if (this.revocation === 200) this.revoked.push(body.get('token')!)
      return response.writeHead(this.revocation).end()
    }
    this.calls.push(body)
    await sleep(this.delayMs)
    await this.gate
    if (this.broken) {
      const { status, type = 'application/json', body: text, headers } = this.broken
      return response.writeHead(status, { 'content-type': type, ...headers }).end(text)
    }
    const basic = Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64')
    if (request.headers.authorization !== `Basic ${basic}`) {
      return send(401, { error: 'invalid_client' }, { 'www-authenticate': 'Basic realm="erp"' })
    }
    const asked = this.#granted(body)
    const isFirst = body.get('grant_type') === 'authorization_code'
    return asked === null
      ? send(400, { error: 'invalid_grant' })
      : send(200, this.#tokens(asked, isFirst))
  }

  /** The scope that was asked for; null where the grant is not valid. */
  #granted(body: URLSearchParams): string | null {
    if (body.get('grant_type') === 'client_credentials') return body.get('scope') ?? ''
    if (body.get('grant_type') === 'refresh_token') {
      const token = body.get('refresh_token')!
      if (!this.#refreshTokens.has(token)) return null
      if (this.rotates) this.#refreshTokens.delete(token)
      return SCOPES.join(' ')
    }
    const grant = this.#codes.get(body.get('code') ?? '')
    this.#codes.delete(body.get('code') ?? '')
    if (!grant || grant.redirectUri !== body.get('redirect_uri')) return null
    const verifier = body.get('code_verifier')
    const challenge = verifier && createHash('sha256').update(verifier).digest('base64url')
    return (challenge ?? null) === grant.challenge ? grant.scope : null
  }

  #tokens(asked: string, isFirst: boolean) {
    const access = this.#secret('access')
    this.#accessTokens.add(access)
    const refresh = isFirst || this.rotates ? this.#secret('refresh') : undefined
    if (refresh) this.#refreshTokens.add(refresh)
    return {
      access_token: access,
      token_type: 'Bearer',
      refresh_token: refresh,
      ...(this.tokenSeconds === null ? {} : { expires_in: this.tokenSeconds }),
      ...(this.scope ? { scope: this.scope(asked) } : {}),
    }
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}
