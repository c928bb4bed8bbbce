// CAP's custom authentication (`cds.requires.auth.impl`): access tokens of the OpenID Connect provider, or a browser's session.
import cds from '@sap/cds'
import type { NextFunction, Request, Response } from 'express'
import { errors } from 'jose'
import { settings } from '../../base/settings/config.ts'
import { isRefusal, type Refusal } from '../../base/errors.ts'
import { isAway, showRetryAfter, toDatabaseRefusal } from '../../base/database/database-faults.ts'
import { message } from '../../base/texts/texts.ts'
import { signedIn, toUser, verifyToken } from './provider.ts'
import { findSession, renewIfDue } from './sessions.ts'

export default async function signInByOpenId(req: Request, res: Response, next: NextFunction) {
  try {
    const user = await userOf(req)
    if (user) {
      cds.context!.user = user
      Object.assign(req, { user })
    }
    next()
  } catch (error) {
    const log = cds.log('auth')
    const told = toDatabaseRefusal(error)
    if (isRefusal(told)) {
      if (!isAway(error)) log.error('sessions cannot be read:', error)
      return next(toDatabaseFault(res, told))
    }
    const isToken = error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)
    if (isToken) log.warn('a token was refused:', error.code)
    else log.error('nobody can be told by a token at present:', (error as Error).message)
    next(
      isToken
        ? 401
        : Object.assign(new Error('The identity provider does not answer.'), UNAVAILABLE),
    )
  }
}

/** As CAP answers it. */
function toDatabaseFault(res: Response, refusal: Refusal) {
  showRetryAfter(res, refusal)
  const { status, code, options } = refusal
  return Object.assign(new Error(message(options.sentence!.key)), { status, code })
}

const UNAVAILABLE = { status: 503, code: '503' }

/** Calls that pages make by themselves do not keep a session from ending. */
const BY_ITSELF = /\/overview\(\)$/

async function userOf(req: Request) {
  const { authorization } = req.headers
  if (authorization !== undefined) {
    const claims = await claimsOf(authorization)
    const person = signedIn(claims)
    if (!person) throw new errors.JWTInvalid('The token names nobody.')
    return toUser(person)
  }
  // Other paths have no protection of a browser's session against requests from other sites.
  if (!req.originalUrl.startsWith('/odata/')) return undefined
  const found = await findSession(req, !BY_ITSELF.test(req.originalUrl))
  renewIfDue(found)
  return found && toUser(found.session.person)
}

/** @throws JOSEError for anything but an access token for this service */
async function claimsOf(authorization: string) {
  const [, token] = /^bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization) ?? []
  const { audience } = settings().identity
  if (!token || audience === null) throw new errors.JWTInvalid('No access token is taken.')
  const claims = await verifyToken(token, audience)
  // An ID token tells a client who has signed in; it is no leave to call.
  if ('nonce' in claims) throw new errors.JWTInvalid('This is an ID token.')
  return claims
}
