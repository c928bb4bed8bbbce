// The first that a call meets: a body that is declared too large is refused before it is read.
import { STATUS_CODES } from 'node:http'
import cds from '@sap/cds'
import type { ErrorRequestHandler, RequestHandler } from 'express'
import { isAway, showRetryAfter, toDatabaseRefusal } from '../database/database-faults.ts'
import { isRefusal } from '../errors.ts'
import {
  assertDeclaredLength,
  BODY_LIMIT,
  type BodyFault,
  declaredLength,
  hasBody,
} from './bodies.ts'
import { closeGently } from './connections.ts'

/** No answer is taken for something else than it says that it is. */
export const asDeclared: RequestHandler = (_req, res, next) => {
  res.setHeader('X-Content-Type-Options', 'nosniff')
  next()
}

/** `/v1` answers in its own form, and by a limit of its own; the agent's door likewise. */
const OWN_LIMIT = /^\/(v1|mcp)(\/|$)/

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

// What no door has answered: short JSON, without the text of the fault, which may name paths of the machine.

export const nothingHere: RequestHandler = (_req, res) => {
  const message = 'There is nothing at this path.'
  res.status(404).json({ error: { code: 'not_found', message } })
}

export const answerFault: ErrorRequestHandler = (error, req, res, _next) => {
  const { status = 500 } = (error ?? {}) as { status?: number }
  const isCallers = status >= 400 && status < 500
  if (!isCallers && !isAway(error))
    cds.log('restock').error(`${req.method} ${req.path} failed:`, error)
  if (res.headersSent) return void res.destroy()
  const told = toDatabaseRefusal<unknown>(error)
  if (isRefusal(told)) {
    const { code, message } = told
    showRetryAfter(res, told)
    return void res.status(told.status).json({ error: { code, message } })
  }
  const answered = isCallers ? status : 500
  const code = isCallers ? 'invalid_request' : 'internal_error'
  res.status(answered).json({ error: { code, message: `${STATUS_CODES[answered]}.` } })
}

/**
 * Says once that calls come past the proxy whose word is taken: whoever sends them may claim any address.
 * Probes of health come from beside the proxy.
 */
export function notePassedProxy(warn: (message: string) => void): RequestHandler {
  let isTold = false
  return (req, _res, next) => {
    const isProxied = Boolean(req.app.get('trust proxy'))
    const isNamed = req.headers['x-forwarded-for'] !== undefined
    if (isProxied && !isNamed && !isTold && !req.path.startsWith('/health')) {
      isTold = true
      warn(
        'A call came without X-Forwarded-For, past the proxy: let the proxy alone reach this port, or set RESTOCK_TRUST_PROXY=0.',
      )
    }
    next()
  }
}
