// A real OpenID Connect provider, in which people sign in by their name and any password.
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import Provider from 'oidc-provider'

export const CLIENT = { id: 'restock', secret: 'kq8Zr-secret-of-the-client' }
export const AUDIENCE = 'restock-api'

/** Claims by person. */
const PEOPLE: Record<string, object> = {
  bea: { restock: { roles: ['buyers'] } },
  // A name that no random characters of a cookie hold by chance.
  beatrice: { restock: { roles: ['buyers'] } },
  ada: { restock: { roles: ['admins'] } },
  lia: { restock: { roles: ['buyers'], locations: ['L1'] } },
  nobody: {},
}

export const ROLE_NAMES = { buyers: 'Buyer', admins: 'Admin' }

interface Interaction {
  oidc: {
    session: { accountId: string }
    client: { clientId: string }
    provider: { Grant: new (of: object) => Grant }
  }
}
interface Grant {
  addOIDCScope(scope: string): void
  save(): Promise<string>
}

/** Consent is given for everybody, as an organisation does for its own applications. */
async function grantAll({ oidc }: Interaction) {
  const { accountId } = oidc.session
  const grant = new oidc.provider.Grant({ accountId, clientId: oidc.client.clientId })
  grant.addOIDCScope('openid profile restock')
  await grant.save()
  return grant
}

interface Options {
  /** Whether it gives refresh tokens. */
  refreshes?: boolean
}

export class IdentityProvider {
  #server: Server
  #handle: RequestListener = () => {}
  #key: CryptoKey | undefined
  #kid = 0
  /** Addresses that were asked for. */
  readonly asked: string[] = []
  readonly #appUrl: string
  readonly #refreshes: boolean
  /** Claims by person, to be changed. */
  readonly people = structuredClone(PEOPLE)
  /** While it is away it breaks off every call. */
  isAway = false

  private constructor(appUrl: string, { refreshes = true }: Options) {
    this.#appUrl = appUrl
    this.#refreshes = refreshes
    this.#server = createServer((req, res) => {
      this.asked.push(req.url!.split('?')[0]!)
      if (this.isAway) req.destroy()
      else void this.#handle(req, res)
    })
  }

  /** @param appUrl address of the service whose people sign in here */
  static async start(appUrl: string, options: Options = {}) {
    const provider = new IdentityProvider(appUrl, options)
    provider.#server.listen(0, 'localhost')
    await once(provider.#server, 'listening')
    await provider.rotate()
    return provider
  }

  get url() {
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`
  }

  /** From now on signs with a new key, and forgets the one before. */
  async rotate() {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    const kid = `key-${++this.#kid}`
    this.#key = privateKey
    const jwk = { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' }
    const provider = new Provider(this.url, this.#configuration(jwk))
    this.#handle = provider.callback()
  }

  #configuration = (jwk: object) => ({
    clients: [
      {
        ...{ client_id: CLIENT.id, client_secret: CLIENT.secret },
        redirect_uris: [`${this.#appUrl}/auth/callback`],
        post_logout_redirect_uris: [`${this.#appUrl}/auth/signed-out`],
        grant_types: ['authorization_code', 'refresh_token'],
        backchannel_logout_uri: `${this.#appUrl}/auth/backchannel-logout`,
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [jwk] },
    scopes: ['openid', 'profile', 'restock'],
    claims: { openid: ['sub'], profile: [], restock: ['restock'] },
    cookies: { keys: ['of the tests'] },
    pkce: { required: () => true },
    loadExistingGrant: grantAll,
    features: { backchannelLogout: { enabled: true } },
    issueRefreshToken: () => this.#refreshes,
    // Its own refuses this machine, and waits for 2.5 s alone.
    fetch: (address: string, { dispatcher: _d, signal: _s, ...options }: Record<string, unknown>) =>
      fetch(address, options),
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, ...this.people[accountId] }),
    }),
  })

  /** A token of this provider, or with `foreign` of somebody else's key. */
  async sign(claims: JWTPayload, { alg = 'RS256', expires = '5m', foreign = false } = {}) {
    const key = foreign ? (await generateKeyPair('RS256')).privateKey : this.#key!
    return new SignJWT({ iss: this.url, aud: AUDIENCE, ...claims })
      .setProtectedHeader({ alg, kid: `key-${this.#kid}` })
      .setIssuedAt()
      .setExpirationTime(expires)
      .sign(alg.startsWith('HS') ? new TextEncoder().encode(CLIENT.secret.repeat(2)) : key)
  }

  async stop() {
    this.#server.closeAllConnections()
    await new Promise((done) => this.#server.close(done))
  }
}

/** What the service is configured with. */
export const identityOf = (provider: IdentityProvider) => ({
  ...{ issuer: provider.url, clientId: CLIENT.id, audience: AUDIENCE },
  ...{ scopes: 'openid profile restock', rolesClaim: 'restock.roles', roleNames: ROLE_NAMES },
})
