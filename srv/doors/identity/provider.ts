// The OpenID Connect provider: its metadata, its keys, and the verification of its tokens.
import {
  createRemoteJWKSet,
  type JWTPayload,
  jwtVerify,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
} from 'jose'
import { LRUCache } from 'lru-cache'
import * as oauth from 'openid-client'
import { environment, settings } from '../../base/settings/config.ts'

const TIMEOUT_S = 10
/** How long the provider's metadata are cached; its keys are also read again when a token names an unknown one. */
const CACHE_MS = 3_600_000
/** The least time between two reads of the keys, however many unknown ones are named. */
const COOLDOWN_MS = 5_000

/** Signatures by a shared secret, and unsigned tokens, are never accepted. */
const ALGORITHMS = ['RS', 'PS', 'ES']
  .flatMap((kind) => ['256', '384', '512'].map((bits) => kind + bits))
  .concat('EdDSA', 'Ed25519')

export interface Provider {
  configuration: oauth.Configuration
  issuer: string
  keys: JWTVerifyGetKey
}

const known = new LRUCache<string, Promise<Provider>>({ max: 1, ttl: CACHE_MS })

/** Whether people sign in at an OpenID Connect provider. */
export const hasProvider = () => settings().identity.issuer !== null

/** A provider that did not answer is asked again by the next caller. */
export async function provider(): Promise<Provider> {
  const { issuer } = settings().identity
  const found = known.get(issuer!)
  if (found) return found
  const asked = discover(issuer!)
  known.set(issuer!, asked)
  asked.catch(() => known.delete(issuer!))
  return asked
}

async function discover(issuer: string): Promise<Provider> {
  const { clientId, clockSkewSeconds } = settings().identity
  const configuration = await oauth.discovery(
    new URL(issuer),
    clientId!,
    { [oauth.clockTolerance]: clockSkewSeconds },
    authenticateClient,
    {
      timeout: TIMEOUT_S,
      // Only a provider on this machine may be without TLS: srv/base/start/safe-start.ts.
      execute: issuer.startsWith('http:') ? [oauth.allowInsecureRequests] : [],
    },
  )
  const { issuer: named, jwks_uri: keys } = configuration.serverMetadata()
  if (!keys) throw new Error(`${named} names no jwks_uri.`)
  return {
    ...{ configuration, issuer: named },
    keys: createRemoteJWKSet(new URL(keys), { cooldownDuration: COOLDOWN_MS }),
  }
}

/** With the secret, if there is one, as the provider takes it. */
const authenticateClient: oauth.ClientAuth = (server, client, body, headers) => {
  const { RESTOCK_IDENTITY_CLIENT_SECRET: secret } = environment()
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const takesBasic = methods.includes('client_secret_basic')
  const method = takesBasic ? oauth.ClientSecretBasic : oauth.ClientSecretPost
  return (secret ? method(secret) : oauth.None())(server, client, body, headers)
}

/**
 * Verifies signature, issuer, audience and times of a token.
 * @throws JOSEError where one of them is wrong
 */
export async function verifyToken(
  token: string,
  audience: string,
  options: JWTVerifyOptions = { requiredClaims: ['sub', 'exp'] },
): Promise<JWTPayload> {
  const { issuer, keys } = await provider()
  const { payload } = await jwtVerify(token, keys, {
    ...{ issuer, audience, algorithms: ALGORITHMS, ...options },
    clockTolerance: settings().identity.clockSkewSeconds,
  })
  return payload
}
