// The first that a call meets: a body that is declared too large is refused before it is read.
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import cds from '@sap/cds'
import type { ErrorRequestHandler, RequestHandler } from 'express'
import { isAway, showRetryAfter, toDatabaseRefusal } from '../database/database-faults.ts'
import { isRefusal } from '../errors.ts'
import { settings } from '../settings/config.ts'
import {
  assertDeclaredLength,
  BODY_LIMIT,
  type BodyFault,
  declaredLength,
  hasBody,
} from './bodies.ts'

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

// Connections: how long a slow one is waited for, and what is answered to what is no HTTP.

/** How often Node looks for slow connections, milliseconds; its own 30 s would double every limit. */
const CHECK_MS = 1_000

/** To be called before the server listens: Node reads some of it only then. */
export function guardConnections(server: Server) {
  cutOffSlowClients(server)
  answerGarbage(server)
  refuseBeforeContinue(server)
}

function cutOffSlowClients(server: Server) {
  const { headersSeconds, requestSeconds, idleSeconds, keepAliveSeconds } = settings().connections
  server.headersTimeout = headersSeconds * 1000
  server.requestTimeout = Math.max(headersSeconds, requestSeconds) * 1000
  server.timeout = idleSeconds * 1000
  if (keepAliveSeconds !== null) server.keepAliveTimeout = keepAliveSeconds * 1000
  Object.assign(server, { connectionsCheckingInterval: CHECK_MS })
}

const STATUS_OF: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** What Node's parser refuses gets a short answer and never reaches a door. */
function answerGarbage(server: Server) {
  const answers = new WeakMap<Duplex, ServerResponse>()
  server.prependListener('request', ({ socket }, res) => void answers.set(socket, res))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || answers.get(socket)?.headersSent) return void socket.destroy()
    const status = STATUS_OF[error.code ?? ''] ?? 400
    const message = STATUS_CODES[status]!
    const body = JSON.stringify({ error: { code: String(status), message } })
    const head = [
      `HTTP/1.1 ${status} ${message}`,
      ...['Connection: close', 'Content-Type: application/json', `Content-Length: ${body.length}`],
    ]
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
  })
}

/** Of `/v1`. */
const LARGEST_BODY = 1_048_576

/** A caller that waits for `100 Continue` is refused before it sends. */
function refuseBeforeContinue(server: Server) {
  server.on('checkContinue', (req, res) => {
    if (declaredLength(req) <= LARGEST_BODY) res.writeContinue()
    server.emit('request', req, res)
  })
}

const LINGER_MS = 500
const LINGER_BYTES = 1_048_576

/**
 * Closes a connection after its answer, though its caller still sends. Closed at once, the caller's system would
 * throw away the answer (RFC 9112, 9.6): for a moment what comes is read and dropped.
 */
function closeGently(req: IncomingMessage) {
  const { socket } = req
  const destroySoon = socket.destroySoon.bind(socket)
  const before = socket.bytesRead
  socket.destroySoon = () => {
    socket.end()
    req.resume()
    const end = Date.now() + LINGER_MS
    const timer = setInterval(() => {
      const isOver = Date.now() > end || socket.bytesRead - before > LINGER_BYTES
      if (!isOver && !req.complete) return
      clearInterval(timer)
      destroySoon()
    }, 20)
    socket.once('close', () => clearInterval(timer))
  }
}
