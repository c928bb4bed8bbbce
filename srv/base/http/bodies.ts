// Reads the body of a call up to a limit: what is inflated counts, and nothing beyond the limit is read.
import type { IncomingMessage } from 'node:http'
import type { Duplex, Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** Bytes of a body through every door; `/v1` takes more from callers with a valid key. */
export const BODY_LIMIT = 65_536

/** How deep lists and objects of a body may stand in each other. */
const JSON_DEPTH = 32

const CODES = {
  400: 'invalid_request',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
} as const

/** A body that is refused. Each door tells it in its own form. */
export class BodyFault extends Error {
  override name = 'BodyFault'
  readonly status: 400 | 413 | 415
  readonly code: 'invalid_request' | 'payload_too_large' | 'unsupported_media_type'
  constructor(status: 400 | 413 | 415, message: string) {
    super(message)
    this.status = status
    this.code = CODES[status]
  }
}

/** By its name, for a module may be loaded twice. */
export const isBodyFault = (error: unknown): error is BodyFault =>
  (error as BodyFault | undefined)?.name === 'BodyFault'

const tooLarge = (limit: number) =>
  new BodyFault(413, `The body may have ${limit.toLocaleString('en')} bytes at most.`)

/** Bytes that a call says it brings; 0 where it says nothing. */
export const declaredLength = ({ headers }: IncomingMessage) =>
  Number(headers['content-length'] ?? 0)

/** Whether a body comes with a call. */
export const hasBody = (req: IncomingMessage) =>
  req.headers['transfer-encoding'] !== undefined || declaredLength(req) > 0

/** @throws BodyFault 413 before anything is read */
export function assertDeclaredLength(req: IncomingMessage, limit: number) {
  if (declaredLength(req) > limit) throw tooLarge(limit)
}

const DECODERS: Record<string, () => Duplex> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

function decoderOf({ headers }: IncomingMessage): Duplex | null {
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity') return null
  const create = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined
  if (create) return create()
  throw new BodyFault(415, 'This Content-Encoding is not supported.')
}

/**
 * The bytes of a body, none for none. What comes after a refusal stays unread: the connection must be closed.
 * @throws BodyFault 413, 415 (encoding), 400 (broken off, or not encoded as it says)
 */
export async function readBytes(req: IncomingMessage, limit: number): Promise<Buffer> {
  assertDeclaredLength(req, limit)
  if (!hasBody(req)) return Buffer.alloc(0)
  const decoder = decoderOf(req)
  try {
    return await collect(decoder ? req.pipe(decoder) : req, req, limit)
  } finally {
    if (decoder) {
      req.unpipe(decoder)
      decoder.destroy()
    }
    if (!req.complete) req.pause()
  }
}

function collect(stream: Readable, req: IncomingMessage, limit: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let size = 0
  const take = (chunk: Buffer) => {
    size += chunk.length
    if (size <= limit) return void chunks.push(chunk)
    stream.off('data', take)
    reject(tooLarge(limit))
  }
  const breakOff = () => reject(new BodyFault(400, 'The body could not be read.'))
  stream.on('data', take)
  stream.once('end', () => resolve(Buffer.concat(chunks)))
  // Stays for the stream's later errors, which nobody else would handle.
  stream.on('error', breakOff)
  if (stream !== req) req.on('error', breakOff)
  req.once('close', breakOff)
  return promise
}

/** @throws BodyFault 400 for what is no UTF-8 */
export function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new BodyFault(400, 'The body must be UTF-8.')
  }
}

/** @throws BodyFault 400 for what is no JSON, or nested deeper than anything that is asked for */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) {
    throw new BodyFault(400, `The body is nested deeper than ${JSON_DEPTH} levels.`)
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new BodyFault(400, 'The body is no valid JSON.')
  }
}

const [QUOTE, BACKSLASH] = [34, 92]
const [LIST, LIST_END, OBJECT, OBJECT_END] = [91, 93, 123, 125]

/** In one pass: a regular expression would take the square of the length for texts that do not end. */
function isTooDeep(json: string): boolean {
  let depth = 0
  let isText = false
  for (let at = 0; at < json.length; at++) {
    const char = json.charCodeAt(at)
    if (isText && char === BACKSLASH) at++
    else if (char === QUOTE) isText = !isText
    else if (isText) continue
    else if (char === LIST || char === OBJECT) depth++
    else if (char === LIST_END || char === OBJECT_END) depth--
    if (depth > JSON_DEPTH) return true
  }
  return false
}
