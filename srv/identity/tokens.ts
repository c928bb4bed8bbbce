// What the provider's tokens say of a person, at the sign-in and whenever they are renewed.
import * as oauth from 'openid-client'
import { settings } from '../config.ts'
import type { Claims } from './claims.ts'
import { provider, verifyToken } from './provider.ts'

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
