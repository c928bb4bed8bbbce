// The first that a call meets: a body that is declared too large is refused before it is read.
import type { RequestHandler } from 'express'
import type { BodyFault } from '../bodies.ts'
import { assertDeclaredLength, BODY_LIMIT, declaredLength, hasBody } from '../bodies.ts'
import { closeGently } from './connections.ts'

/** `/v1` answers in its own form, and by a limit of its own. */
const OWN_LIMIT = /^\/v1(\/|$)/

/**
 * Whoever refuses a call leaves its body unread. A small one is skipped by Node; of a large one, or one of
 * unknown length, nothing more is taken, and its connection closes.
 */
export const refuseLargeBodies: RequestHandler = (req, res, next) => {
  if (!hasBody(req)) return next()
  if (!(declaredLength(req) <= BODY_LIMIT) || req.headers['transfer-encoding']) {
    const writeHead = res.writeHead.bind(res) as (...args: unknown[]) => typeof res
    res.writeHead = (...args: unknown[]) => {
      if (!req.complete) {
        res.shouldKeepAlive = false
        closeGently(req)
      }
      return writeHead(...args)
    }
  }
  if (OWN_LIMIT.test(req.path)) return next()
  try {
    assertDeclaredLength(req, BODY_LIMIT)
    next()
  } catch (error) {
    const { status, message } = error as BodyFault
    res.status(status).json({ error: { code: 'payload_too_large', message } })
  }
}
