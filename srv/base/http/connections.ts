// Connections: how long a slow one is waited for, and what is answered to what is no HTTP.
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { declaredLength } from './bodies.ts'
import { settings } from '../settings/config.ts'

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
export function closeGently(req: IncomingMessage) {
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
