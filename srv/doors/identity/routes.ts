// /auth: signing in at the OpenID Connect provider by authorization code and PKCE, and signing out there too.
import cds from '@sap/cds'
import express, { type Request, type RequestHandler, type Response, type Router } from 'express'
import * as oauth from 'openid-client'
import { showRetryAfter, toDatabaseRefusal } from '../../base/database/database-faults.ts'
import { openText, sealText } from '../../base/database/secrets/vault.ts'
import { isRefusal } from '../../base/errors.ts'
import { clearCookie, cookieOf, sendPage, setCookie } from '../../base/http/page.ts'
import { settings } from '../../base/settings/config.ts'
import { rememberPerson } from '../../domain/authority/index.ts'
import { hasProvider, provider, readClaims, signedIn, toUser, verifyToken } from './provider.ts'
import { beginSession, endSession, endSessionsOf, findSession, renewIfDue } from './sessions.ts'

const COOKIE = 'restock-sign-in'
const CONTEXT = 'restock sign-in'
/** How long somebody may take to sign in at the provider. */
const SIGN_IN_MS = 600_000

/** The state of a sign-in, stored encrypted in the browser until the provider sends it back. */
interface SignIn {
  state: string
  nonce: string
  verifier: string
  /** Where to go afterwards. */
  to: string
  /** Epoch milliseconds. */
  until: number
}

const LOGOUT_TOKEN_LIMIT = '16kb'

const ownUrl = (path: string) => `${settings().publicUrl!.replace(/(?<!\/)\/+$/, '')}${path}`

/** The requested path if it is one of this service, or else the start page. */
function pathOf(wish: unknown): string {
  const base = 'https://restock.invalid'
  const url = typeof wish === 'string' && wish.startsWith('/') ? URL.parse(wish, base) : null
  return url?.origin === base ? url.pathname + url.search : '/'
}

async function login(req: Request, res: Response) {
  const { configuration } = await provider()
  const verifier = oauth.randomPKCECodeVerifier()
  const signIn: SignIn = {
    ...{ state: oauth.randomState(), nonce: oauth.randomNonce(), verifier },
    ...{ to: pathOf(req.query.to), until: Date.now() + SIGN_IN_MS },
  }
  const url = oauth.buildAuthorizationUrl(configuration, {
    ...{ redirect_uri: ownUrl('/auth/callback'), scope: settings().identity.scopes },
    ...{ state: signIn.state, nonce: signIn.nonce, code_challenge_method: 'S256' },
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    ...('again' in req.query && { prompt: 'login' }),
  })
  setCookie(res, COOKIE, sealText(CONTEXT, JSON.stringify(signIn)), SIGN_IN_MS)
  res.redirect(url.href)
}

/** @returns null if this browser has not begun a sign-in, or too long ago */
function signInOf(req: Request): SignIn | null {
  try {
    const text = openText(CONTEXT, cookieOf(req, COOKIE) ?? '')
    const signIn = text === null ? null : (JSON.parse(text) as SignIn)
    return signIn && signIn.until > Date.now() ? signIn : null
  } catch {
    return null
  }
}

async function callback(req: Request, res: Response) {
  const signIn = signInOf(req)
  clearCookie(res, COOKIE)
  if (!signIn) return sendPage(res, NOT_ASKED)
  const { claims, ...tokens } = await exchange(req, signIn)
  const person = signedIn(claims)
  if (!person?.roles.length) {
    cds.log('auth').warn('somebody without a role signed in:', person?.id ?? 'unnamed')
    return sendPage(res, withoutRole(person?.id))
  }
  const user = toUser(person)
  cds.context = new cds.EventContext({ user } as never)
  await rememberPerson(user)
  await beginSession(res, { person, subject: claims.sub, ...tokens }, claims.sid)
  res.redirect(signIn.to)
}

/** @throws where the provider refuses, or its answer is not the one that was asked for */
async function exchange(req: Request, { state, nonce, verifier }: SignIn) {
  const { configuration } = await provider()
  const answer = new URL(req.originalUrl, ownUrl('/'))
  const url = new URL(ownUrl('/auth/callback') + answer.search)
  const tokens = await oauth.authorizationCodeGrant(configuration, url, {
    ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier },
    idTokenExpected: true,
  })
  const { id_token: idToken, refresh_token: refreshToken } = tokens
  return { idToken: idToken!, refreshToken, claims: await readClaims(tokens) }
}

/** The page goes where the answer says, for the provider has a session of its own. */
async function logout(req: Request, res: Response) {
  const session = await endSession(req, res)
  res.json({ location: await endAtProvider(session?.idToken).catch(() => '/auth/signed-out') })
}

async function endAtProvider(idToken: string | undefined): Promise<string> {
  const { configuration } = await provider()
  if (!idToken || !configuration.serverMetadata().end_session_endpoint) return '/auth/signed-out'
  return oauth.buildEndSessionUrl(configuration, {
    id_token_hint: idToken,
    post_logout_redirect_uri: ownUrl('/auth/signed-out'),
  }).href
}

/** Redirects to the provider if somebody without a session opens a page of the apps. */
export const pagesNeedSession: RequestHandler = async (req, res, next) => {
  const isPage = /^\/(apps\/[^/]+\/(index\.html)?)?$/.test(req.path)
  if (!hasProvider() || req.method !== 'GET' || !isPage) return next()
  const found = await findSession(req)
  renewIfDue(found)
  if (found) return next()
  res.setHeader('Cache-Control', 'no-store')
  res.redirect(`/auth/login?to=${encodeURIComponent(req.originalUrl)}`)
}

/** How people sign out: here, at SAP's router, or (with the passwords of development) not at all. */
function signsOut(): 'here' | 'router' | null {
  if (hasProvider()) return 'here'
  const { kind = '' } = (cds.env.requires.auth ?? {}) as { kind?: string }
  return /^(xsuaa|ias|jwt)/.test(kind) ? 'router' : null
}

/** To be mounted at /auth. @param protect refuses changes that another site's page sends */
export function identityRouter(protect: RequestHandler): Router {
  const router = express.Router()
  router.use((_req, res, next) => {
    cds.context = new cds.EventContext({} as never)
    res.setHeader('Cache-Control', 'no-store')
    next()
  })
  router.get('/session', (_req, res) => void res.json({ signsOut: signsOut() }))
  if (hasProvider()) {
    router.get('/login', failing(login))
    router.get('/callback', failing(callback))
    router.post('/logout', protect, failing(logout))
    const form = express.urlencoded({ extended: false, limit: LOGOUT_TOKEN_LIMIT })
    router.post('/backchannel-logout', form, backChannelLogout)
  }
  router.get('/signed-out', (_req, res) => sendPage(res, SIGNED_OUT))
  return router
}

const failing =
  (handle: (req: Request, res: Response) => Promise<void>): RequestHandler =>
  async (req, res) => {
    try {
      await handle(req, res)
    } catch (error) {
      const { code, message } = error as { code?: string; message: string }
      cds.log('auth').warn('a sign-in failed:', code ?? '', message)
      const told = toDatabaseRefusal(error)
      if (!isRefusal(told)) return sendPage(res, FAILED)
      showRetryAfter(res, told)
      sendPage(res, WITHOUT_DATABASE)
    }
  }

const AGAIN = { href: '/', text: 'Sign in again' }
const SIGNED_OUT = { status: 200, title: 'You have signed out', text: [], link: AGAIN }
const NOT_ASKED = {
  status: 400,
  title: 'Not signed in',
  text: ['This sign-in was not begun in this browser, or took longer than ten minutes.'],
  link: AGAIN,
}
const FAILED = {
  status: 502,
  title: 'Not signed in',
  text: ['The identity provider did not sign you in, or does not answer.'],
  link: AGAIN,
}
const WITHOUT_DATABASE = {
  status: 503,
  title: 'Not signed in',
  text: ['The database of Restock does not answer at present. Try again in a moment.'],
  link: AGAIN,
}
const withoutRole = (id = 'somebody') => ({
  status: 403,
  title: 'No role',
  text: [`You have signed in as ${id}, who has no role in Restock. Your administrator gives them.`],
  link: { href: '/auth/login?again', text: 'Sign in as somebody else' },
})

// OpenID Connect Back-Channel Logout 1.0: the provider tells that somebody has signed out, or was signed out, there.

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** A provider does not send a logout token again after this time. */
const OLDEST_S = 600

/**
 * Answers 200 if the sessions have ended, even if there were none; 400 for anything but a logout token for this service; 503
 * while the database is away, so that the provider tries again.
 */
async function backChannelLogout(req: Request, res: Response) {
  const { logout_token: token } = (req.body ?? {}) as { logout_token?: unknown }
  try {
    const { sub, sid } = await verifyLogoutToken(token)
    const count = await endSessionsOf(sub, sid)
    cds.log('auth').info(`signed out at the provider: ${count} sessions have ended`)
    res.sendStatus(200)
  } catch (error) {
    const told = toDatabaseRefusal(error)
    if (isRefusal(told)) {
      showRetryAfter(res, told)
      return void res.sendStatus(told.status)
    }
    const { code, message } = error as { code?: string; message: string }
    cds.log('auth').warn('a logout token was refused:', code ?? message)
    res.status(400).json({ error: 'invalid_request' })
  }
}

/** By section 2.6. @throws for whatever is none */
async function verifyLogoutToken(token: unknown) {
  if (typeof token !== 'string') throw new Error('there is none')
  const claims = await verifyToken(token, settings().identity.clientId!, {
    ...{ requiredClaims: ['iat', 'jti', 'events'], maxTokenAge: OLDEST_S },
  })
  const { sub, sid, events } = claims
  const event = (events as { [EVENT]?: unknown } | null)?.[EVENT]
  if (typeof event !== 'object' || event === null) throw new Error('it is for another event')
  if ('nonce' in claims) throw new Error('it is an ID token')
  const session = typeof sid === 'string' ? sid : undefined
  if (!sub && !session) throw new Error('it names nobody')
  return { sub, sid: session }
}
