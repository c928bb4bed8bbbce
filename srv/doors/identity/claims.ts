// The identity of a person, from the claims of a token and the settings.
import cds from '@sap/cds'
import type { JWTPayload as Claims } from 'jose'
import * as oauth from 'openid-client'
import { settings } from '../../base/settings/config.ts'
import { ROLES } from '../../base/roles.ts'
import type { User } from '../../domain/authority/index.ts'
import { provider, verifyToken } from './provider.ts'

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
export function signedIn(claims: Claims): SignedIn | null {
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
const valueAt = (claims: Claims, name: string): unknown =>
  claims[name] ??
  name.split('.').reduce<unknown>((value, key) => (value as Claims | undefined)?.[key], claims)

const listAt = (claims: Claims, name: string): string[] =>
  [valueAt(claims, name) ?? []].flat().flatMap((each) => (typeof each === 'string' ? [each] : []))

/** If rows come from a claim, a person without it sees none. */
function rowsAt(claims: Claims, name: string | null): string[] | null {
  if (name === null) return null
  const values = listAt(claims, name)
  return values.includes('*') ? null : values
}

// The claims of the provider's tokens about a person, at the sign-in and whenever they are renewed.

type Tokens = oauth.TokenEndpointResponse & oauth.TokenEndpointResponseHelpers

/** @returns what the answer of userinfo claims, and over it the ID token; @throws where either is not of `subject` */
export async function readClaims(tokens: Tokens, subject?: string): Promise<Claims> {
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
