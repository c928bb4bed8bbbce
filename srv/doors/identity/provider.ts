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
import cds from '@sap/cds'
import { ROLES } from '../../base/roles.ts'
import { environment, settings } from '../../base/settings/config.ts'
import type { User } from '../../domain/authority/index.ts'

const TIMEOUT_S = 10
/** How long the provider's metadata are cached; its keys are also read again when a token names an unknown one. */
const CACHE_MS = 3_600_000
/** The least time between two reads of the keys, however many unknown ones are named. */
const COOLDOWN_MS = 5_000

/** Signatures by a shared secret, and unsigned tokens, are never accepted. */
const ALGORITHMS = ['RS', 'PS', 'ES']
  .flatMap((kind) => ['256', '384', '512'].map((bits) => kind + bits))
  .concat('EdDSA', 'Ed25519')

interface Provider {
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

// The identity of a person, from the claims of a token and the settings.

/** The facts of a sign-in that are stored. */
export interface SignedIn {
  id: string
  roles: string[]
  /** The locations that this person sees; null for all. */
  locations: string[] | null
  groups: string[] | null
}

/** Roles that each role includes, as in xs-security.json. */
const BRINGS: Record<string, string[]> = {
  Buyer: ['Viewer'],
  ApproverHigh: ['Viewer', 'Buyer'],
  Admin: ['Viewer'],
  Auditor: ['Viewer'],
}

/** Names that the service itself uses: of CAP, of its own work, and of keys. */
const RESERVED = /^(anonymous|privileged|system|key:.*)$/i

/** @returns null for claims that name nobody who could be told from others */
export function signedIn(claims: JWTPayload): SignedIn | null {
  const { userClaim, rolesClaim, roleNames, locationsClaim, groupsClaim } = settings().identity
  const id = valueAt(claims, userClaim)
  if (typeof id !== 'string' || !id || id.length > 255 || RESERVED.test(id)) return null
  if (userClaim === 'email' && claims.email_verified === false) return null
  const named = listAt(claims, rolesClaim).map((name) => (roleNames ? roleNames[name] : name))
  const roles = ROLES.filter(
    (role) => named.includes(role) || named.some((name) => name && BRINGS[name]?.includes(role)),
  )
  return {
    ...{ id, roles },
    locations: rowsAt(claims, locationsClaim),
    groups: rowsAt(claims, groupsClaim),
  }
}

/** The person as CAP's services know somebody who has signed in. */
export const toUser = ({ id, roles, locations, groups }: SignedIn): User =>
  new cds.User({
    ...{ id, roles },
    attr: { ...(locations && { locations }), ...(groups && { groups }) } as never,
  })

/** A claim by its name, which may hold dots, or else by its path. */
const valueAt = (claims: JWTPayload, name: string): unknown =>
  claims[name] ??
  name.split('.').reduce<unknown>((value, key) => (value as JWTPayload | undefined)?.[key], claims)

const listAt = (claims: JWTPayload, name: string): string[] =>
  [valueAt(claims, name) ?? []].flat().flatMap((each) => (typeof each === 'string' ? [each] : []))

/** If rows come from a claim, a person without it sees none. */
function rowsAt(claims: JWTPayload, name: string | null): string[] | null {
  if (name === null) return null
  const values = listAt(claims, name)
  return values.includes('*') ? null : values
}

// The claims of the provider's tokens about a person, at the sign-in and whenever they are renewed.

type Tokens = oauth.TokenEndpointResponse & oauth.TokenEndpointResponseHelpers

/** @returns what the answer of userinfo claims, and over it the ID token; @throws where either is not of `subject` */
export async function readClaims(tokens: Tokens, subject?: string): Promise<JWTPayload> {
  const { configuration } = await provider()
  const claims = tokens.id_token
    ? await verifyToken(tokens.id_token, settings().identity.clientId!)
    : {}
  const sub = claims.sub ?? subject
  if (sub === undefined || (subject !== undefined && sub !== subject))
    throw new Error('The tokens are not of the person who signed in.')
  const more = configuration.serverMetadata().userinfo_endpoint
    ? await oauth.fetchUserInfo(configuration, tokens.access_token, sub)
    : {}
  return { ...more, ...claims, sub }
}
