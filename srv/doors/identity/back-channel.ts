// OpenID Connect Back-Channel Logout 1.0: the provider tells that somebody has signed out, or was signed out, there.
import cds from '@sap/cds'
import type { Request, Response } from 'express'
import { settings } from '../../base/settings/config.ts'
import { isRefusal } from '../../base/errors.ts'
import { showRetryAfter, toDatabaseRefusal } from '../../base/database/database-faults.ts'
import { verifyToken } from './provider.ts'
import { endSessionsOf } from './sessions.ts'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** A provider does not send a logout token again after this time. */
const OLDEST_S = 600

/**
 * Answers 200 if the sessions have ended, even if there were none; 400 for anything but a logout token for this service; 503
 * while the database is away, so that the provider tries again.
 */
export async function backChannelLogout(req: Request, res: Response) {
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
