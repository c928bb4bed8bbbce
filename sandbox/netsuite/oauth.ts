// NetSuite's authorization server: a consent page, tokens that live an hour, refresh tokens that die, certificates.
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { jwtVerify } from 'jose'
import type { Clock } from '../clock.ts'

export const CLIENT = { id: 'restock-netsuite', secret: 'netsuite-secret' }
export const CERTIFICATE_ID = 'cert-4711'

const HOUR_MS = 3_600_000

interface Consent {
  redirectUri: string
  challenge: string | null
}

export interface TokenAnswer {
  status: number
  body: Record<string, string>
}

const refuse = (error: string, status = 400): TokenAnswer => ({ status, body: { error } })

export class Authority {
  readonly #clock: Clock
  readonly #codes = new Map<string, Consent>()
  /** Until when each token is valid. */
  readonly #access = new Map<string, number>()
  readonly #refresh = new Map<string, number>()
  readonly #publicKey: KeyObject
  /** Of the certificate that is mapped to a user and a role. */
  readonly privateKey: string
  refreshHours = 168
  refreshes = 0

  constructor(clock: Clock) {
    this.#clock = clock
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
    this.#publicKey = publicKey
    this.privateKey = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  }

  /** A code for whoever allowed it. */
  allow(redirectUri: string, challenge: string | null): string {
    const code = random()
    this.#codes.set(code, { redirectUri, challenge })
    return code
  }

  isValid(header: string | undefined): boolean {
    const until = this.#access.get((header ?? '').replace(/^Bearer /, ''))
    return until !== undefined && until > this.#clock.now()
  }

  /** A token that needs nobody's consent. */
  issue(): string {
    const token = random()
    this.#access.set(token, this.#clock.now() + HOUR_MS)
    return token
  }

  revokeAccess(): void {
    this.#access.clear()
  }

  /** @param url of the token endpoint, which assertions are made out to */
  async token(form: URLSearchParams, authorization: string, url: string): Promise<TokenAnswer> {
    const kind = form.get('grant_type')
    if (kind === 'client_credentials') return this.#byCertificate(form, url)
    const basic = Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64')
    if (authorization !== `Basic ${basic}`) return refuse('invalid_client', 401)
    if (kind === 'authorization_code') return this.#byCode(form)
    if (kind === 'refresh_token') return this.#byRefreshToken(form)
    return refuse('unsupported_grant_type')
  }

  #byCode(form: URLSearchParams): TokenAnswer {
    const code = form.get('code') ?? ''
    const consent = this.#codes.get(code)
    this.#codes.delete(code)
    if (!consent || consent.redirectUri !== form.get('redirect_uri')) return refuse('invalid_grant')
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (consent.challenge !== proof) return refuse('invalid_request')
    const refresh = random()
    this.#refresh.set(refresh, this.#clock.now() + this.refreshHours * HOUR_MS)
    return this.#tokens({ refresh_token: refresh })
  }

  /** The refresh token stays the same, and dies on its day whatever it was used for. */
  #byRefreshToken(form: URLSearchParams): TokenAnswer {
    const until = this.#refresh.get(form.get('refresh_token') ?? '')
    if (until === undefined || until <= this.#clock.now()) return refuse('invalid_grant')
    this.refreshes++
    return this.#tokens()
  }

  async #byCertificate(form: URLSearchParams, url: string): Promise<TokenAnswer> {
    const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
    if (form.get('client_assertion_type') !== type) return refuse('invalid_client', 401)
    try {
      const { payload, protectedHeader } = await jwtVerify(
        form.get('client_assertion') ?? '',
        this.#publicKey,
        { algorithms: ['PS256', 'ES256'], issuer: CLIENT.id, audience: url },
      )
      const { exp = 0, iat = 0, scope } = payload
      const isMapped = protectedHeader.kid === CERTIFICATE_ID && protectedHeader.typ === 'JWT'
      if (!isMapped || exp - iat >= 3600 || scope !== 'rest_webservices') {
        return refuse('invalid_client', 401)
      }
      return this.#tokens()
    } catch {
      return refuse('invalid_client', 401)
    }
  }

  /** `expires_in` is text here. */
  #tokens(further: Record<string, string> = {}): TokenAnswer {
    const body = {
      access_token: this.issue(),
      token_type: 'bearer',
      expires_in: '3600',
      ...further,
    }
    return { status: 200, body }
  }
}

const random = () => randomBytes(24).toString('base64url')
