// OAuth 2.0 (RFC 6749, 7009, 7636) with servers that have no discovery document.
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { SignJWT } from 'jose'
import * as oauth from 'openid-client'
import type { CustomFetch, CustomFetchOptions } from 'openid-client'
import axios from 'axios'
import { Fatal, Retriable } from '../../../../adapters/errors.ts'
import { readAuthorities } from '../../../../adapters/http/authorities.ts'
import { withConnectTimeout } from '../../../../adapters/http/connect-timeout.ts'
import { isLoopbackHost } from '../../../base/http/addresses.ts'
import { isProduction } from '../../../base/settings/config.ts'
import { type ConsentPlan, type TokenPlan, type Tokens, toRefusal, toTokens } from './tokens.ts'

const TIMEOUT_S = 15

export interface OAuthClient {
  clientId: string
  /** Null for a public client. */
  clientSecret: string | null
}

/** A client as an admin entered it. */
export interface ClientInput {
  clientId?: string | null
  clientSecret?: string | null
}

/** The address of the consent page, and what must be stored until the browser returns. */
export interface ConsentRequest {
  url: string
  state: string
  verifier: string | null
}

export async function requestConsent(
  plan: ConsentPlan,
  client: OAuthClient,
  redirectUri: string,
): Promise<ConsentRequest> {
  const state = oauth.randomState()
  const verifier = plan.usesPkce ? oauth.randomPKCECodeVerifier() : null
  const url = oauth.buildAuthorizationUrl(configurationOf(plan, client), {
    redirect_uri: redirectUri,
    scope: plan.scopes.join(' '),
    state,
    ...(verifier && {
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }),
  })
  return { url: url.href, state, verifier }
}

/** Whether an answer that names this issuer comes from the server that was asked (RFC 9207). */
export function isIssuer({ issuer, authorizationEndpoint }: ConsentPlan, iss: string): boolean {
  if (issuer !== undefined) return iss === issuer
  return URL.parse(iss)?.origin === new URL(authorizationEndpoint).origin
}

interface CodeExchange {
  code: string
  redirectUri: string
  verifier: string | null
}

/** @throws OAuthRefusal | Retriable */
export async function exchangeCode(
  plan: ConsentPlan,
  client: OAuthClient,
  { code, redirectUri, verifier }: CodeExchange,
): Promise<Tokens> {
  const callbackUrl = new URL(redirectUri)
  callbackUrl.searchParams.set('code', code)
  const configuration = configurationOf(plan, client)
  const proof = verifier ? { pkceCodeVerifier: verifier } : {}
  const grant = () => oauth.authorizationCodeGrant(configuration, callbackUrl, proof)
  return inWordsOf(plan, await callTokenEndpoint(grant))
}

/** Requests tokens by a refresh token, or for the client itself. @throws OAuthRefusal | Retriable */
export async function requestTokens(
  plan: TokenPlan,
  client: OAuthClient,
  refreshToken: string | null,
): Promise<Tokens> {
  const configuration = configurationOf(plan, client)
  if (plan.kind === 'client_credentials') {
    // An assertion names its scopes itself.
    const scope = plan.assertion ? '' : plan.scopes.join(' ')
    return callTokenEndpoint(() =>
      oauth.clientCredentialsGrant(configuration, scope ? { scope } : {}),
    )
  }
  const tokens = await callTokenEndpoint(() =>
    oauth.refreshTokenGrant(configuration, refreshToken!),
  )
  // A server that does not rotate refresh tokens sends none: the present one stays valid.
  return inWordsOf(plan, tokens.refreshToken ? tokens : { ...tokens, refreshToken })
}

/** The granted scopes in the words in which they were requested, if the server words them differently. */
function inWordsOf({ wording, scopes }: ConsentPlan, tokens: Tokens): Tokens {
  if (!wording || !tokens.scopes) return tokens
  const { harmless, unstated } = wording
  const stated = tokens.scopes.filter(
    (scope) => scopes.includes(scope) || !harmless.includes(scope),
  )
  const further = unstated.filter((scope) => scopes.includes(scope) && !stated.includes(scope))
  return { ...tokens, scopes: [...stated, ...further] }
}

/** Revokes tokens, where the server supports it. @returns whether all were revoked */
export async function revoke(plan: TokenPlan, client: OAuthClient, tokens: Tokens) {
  if (!plan.revocationEndpoint) return false
  const configuration = configurationOf(plan, client)
  const end = (token: string, hint: string) =>
    oauth.tokenRevocation(configuration, token, { token_type_hint: hint })
  const { accessToken, refreshToken } = tokens
  const ended = await Promise.allSettled([
    ...(refreshToken ? [end(refreshToken, 'refresh_token')] : []),
    end(accessToken, 'access_token'),
  ])
  return ended.every(({ status }) => status === 'fulfilled')
}

async function callTokenEndpoint(
  grant: () => Promise<oauth.TokenEndpointResponse>,
): Promise<Tokens> {
  try {
    return toTokens(await grant())
  } catch (error) {
    throw toRefusal(error)
  }
}

/** @throws Fatal `insecure_address` for an endpoint whose traffic anybody could read */
function configurationOf(plan: TokenPlan, { clientId, clientSecret }: OAuthClient) {
  const { tokenEndpoint, revocationEndpoint } = plan
  const authorizationEndpoint = 'authorizationEndpoint' in plan ? plan.authorizationEndpoint : null
  const endpoints = [tokenEndpoint, revocationEndpoint, authorizationEndpoint].filter(
    (url) => !!url,
  )
  for (const endpoint of endpoints) assertSecure(new URL(endpoint!))
  const configuration = new oauth.Configuration(
    {
      issuer: new URL(tokenEndpoint).origin,
      token_endpoint: tokenEndpoint,
      ...(revocationEndpoint && { revocation_endpoint: revocationEndpoint }),
      ...(authorizationEndpoint && { authorization_endpoint: authorizationEndpoint }),
    },
    clientId,
    {},
    authOf(plan, clientSecret),
  )
  configuration.timeout = TIMEOUT_S
  configuration[oauth.customFetch] = oauthFetch(plan.caFile ?? null)
  if (endpoints.some((url) => url!.startsWith('http:'))) oauth.allowInsecureRequests(configuration)
  return configuration
}

function authOf(plan: TokenPlan, secret: string | null): oauth.ClientAuth {
  if (secret === null) return oauth.None()
  if (plan.kind !== 'client_credentials' || !plan.assertion) return basicAuth(secret)
  return assertionAuth(secret, plan.assertion.keyId, plan.scopes, plan.tokenEndpoint)
}

function assertSecure(url: URL) {
  if (url.protocol === 'https:') return
  if (url.protocol === 'http:' && isLoopbackHost(url.hostname) && !isProduction()) return
  throw new Fatal('insecure_address', `${url.origin} is not https.`, 'base_url')
}

/**
 * The client's id and secret as HTTP Basic (RFC 7617), not encoded. The library would form-encode
 * them first (RFC 6749, section 2.3.1); an AS ABAP logs the client on as a user and decodes nothing.
 */
const basicAuth =
  (secret: string): oauth.ClientAuth =>
  (_server, { client_id: id }, _body, headers) =>
    headers.set('authorization', basicHeader(id, secret))

export const basicHeader = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

// A client that proves itself by a signature instead of a secret (RFC 7523).

const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const LIFETIME = '5m'
/** RSA keys of less are refused by every server that takes assertions. */
const LEAST_RSA_BITS = 2048

const CURVES: Record<string, string> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
}

/**
 * @param pem the private key, whose certificate the server knows as `keyId`
 * @throws Fatal `invalid_private_key`
 */
function assertionAuth(
  pem: string,
  keyId: string,
  scopes: readonly string[],
  audience: string,
): oauth.ClientAuth {
  const { key, alg } = readKey(pem)
  // The library awaits the result, as for its own method of this kind, although its type does not say so.
  // eslint-disable-next-line @typescript-eslint/no-misused-promises
  return async (_server, { client_id: id }, body) => {
    const assertion = await new SignJWT({ scope: scopes.join(',') })
      .setProtectedHeader({ typ: 'JWT', alg, kid: keyId })
      .setIssuer(id)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime(LIFETIME)
      .sign(key)
    body.set('client_assertion_type', TYPE)
    body.set('client_assertion', assertion)
  }
}

/** The algorithm follows from the kind of key. */
function readKey(pem: string): { key: KeyObject; alg: string } {
  let key: KeyObject
  try {
    // Command lines and forms turn line ends into spaces or into \n.
    key = createPrivateKey(withLines(pem))
  } catch {
    throw unusable('it is no private key in PEM, or one with a passphrase')
  }
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key
  if (type === 'rsa' || type === 'rsa-pss') {
    if ((details?.modulusLength ?? 0) < LEAST_RSA_BITS) throw unusable('it is too short')
    return { key, alg: 'PS256' }
  }
  const alg = type === 'ec' ? CURVES[details?.namedCurve ?? ''] : undefined
  if (!alg) throw unusable('it must be RSA, or EC on P-256, P-384 or P-521')
  return { key, alg }
}

function withLines(pem: string): string {
  const text = pem.replaceAll('\\n', '\n').trim()
  const [, label, body] = /^-----BEGIN ([A-Z ]+)-----([^-]+)-----END \1-----$/.exec(text) ?? []
  if (!label || !body) return text
  const lines = body.replace(/\s+/g, '').match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}

const unusable = (why: string) =>
  new Fatal(
    'invalid_private_key',
    `The private key of the certificate cannot be used: ${why}.`,
    'client_secret',
  )

const MAX_ANSWER_BYTES = 1_000_000

// How the servers are called.

/**
 * `fetch` for the OAuth library: it follows no redirect, limits the size of an answer, and its errors contain
 * nothing of the request.
 * @param caFile PEM file of certification authorities that are trusted in addition
 * @throws Fatal `ca_file_unreadable`
 */
export function oauthFetch(caFile: string | null): CustomFetch {
  const agents = {
    httpAgent: withConnectTimeout(new HttpAgent()),
    httpsAgent: withConnectTimeout(new HttpsAgent(caFile ? { ca: readAuthorities(caFile) } : {})),
  }
  return (url, options) => send(url, options, agents)
}

async function send(
  url: string,
  { method, headers, body, signal }: CustomFetchOptions,
  agents: { httpAgent: HttpAgent; httpsAgent: HttpsAgent },
): Promise<Response> {
  try {
    const {
      status,
      data,
      headers: answered,
    } = await axios.request<string>({
      url,
      method,
      headers,
      data: body?.toString(),
      signal,
      maxRedirects: 0,
      maxContentLength: MAX_ANSWER_BYTES,
      responseType: 'text',
      transformResponse: (text: string) => text,
      validateStatus: () => true,
      proxy: false,
      ...agents,
    })
    const isBodiless = status === 204 || status === 304
    return new Response(isBodiless ? null : data, { status, headers: toHeaders(answered) })
  } catch (error) {
    // axios errors contain the whole request with its secrets, so they are not passed on.
    const code = (error as { code?: string }).code ?? 'no answer'
    throw new Retriable(`${new URL(url).host} did not answer (${code}).`)
  }
}

function toHeaders(headers: object): Headers {
  const result = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    for (const each of [value].flat()) result.append(name, String(each))
  }
  // axios has already decompressed the body.
  result.delete('content-encoding')
  result.delete('content-length')
  return result
}
