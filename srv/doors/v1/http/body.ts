import { STATUS_CODES } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Request, Response } from 'express'
import { Refusal } from '../../../base/errors.ts'
import { isBodyFault, parseJson as parse, readBytes, textOf } from '../../../base/http/bodies.ts'

const BODY_LIMIT = 1_048_576

const toRefusal = (error: unknown) =>
  isBodyFault(error) ? new Refusal(error.code, error.message) : error

/**
 * The bytes of a request's body, none for none.
 * @throws Refusal payload_too_large, unsupported_media_type (encoding), invalid_request
 */
export async function readBody(req: Request): Promise<Buffer> {
  try {
    return await readBytes(req, BODY_LIMIT)
  } catch (error) {
    throw toRefusal(error)
  }
}

const JSON_TYPE =
  /^application\/(json|[\w.-]+\+json)\s*(;\s*charset="?utf-8"?\s*|;(?!\s*charset)[^;]*)*$/i

/**
 * A body as the object it must be.
 * @throws Refusal unsupported_media_type, invalid_request, invalid_parameter where a field is given twice
 */
export function parseObject(contentType: string | undefined, bytes: Buffer): object {
  if (bytes.length && !JSON_TYPE.test(contentType ?? '')) {
    throw new Refusal('unsupported_media_type', 'The body must be application/json in UTF-8.')
  }
  const { text, body } = parseJson(bytes)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Refusal('invalid_request', 'The body must be a JSON object.')
  }
  const target = repeatedMember(text)
  if (target === null) return body
  throw new Refusal('invalid_parameter', `${target}: is given twice`, { target })
}

function parseJson(bytes: Buffer): { text: string; body: unknown } {
  try {
    const text = textOf(bytes)
    return { text, body: parse(text) }
  } catch (error) {
    throw toRefusal(error)
  }
}

/**
 * Tokens: strings, with the colon after names, and the beginnings and ends of objects and lists. An unterminated string is
 * matched too.
 */
const TOKENS = /("(?:[^"\\]+|\\.)*"?)(\s*:)?|[{}[\]]/g

interface Level {
  /** Names found in the object so far. */
  names: Set<string>
  name: string | null
}

const LIST: Level = { names: new Set(), name: null }

/**
 * The first member that an object has twice, with its path: `JSON.parse` would keep the last of them.
 * @param json valid JSON
 */
function repeatedMember(json: string): string | null {
  const levels: Level[] = []
  for (const [token, text, colon] of json.matchAll(TOKENS)) {
    if (token === '{') levels.push({ names: new Set(), name: null })
    else if (token === '[') levels.push(LIST)
    else if (token === '}' || token === ']') levels.pop()
    else if (colon) {
      const level = levels.at(-1)!
      level.name = JSON.parse(text!) as string
      if (level.names.has(level.name)) return pathOf(levels)
      level.names.add(level.name)
    }
  }
  return null
}

const pathOf = (levels: Level[]) => levels.flatMap(({ name }) => name ?? []).join('.')

// Answers, and refusals as one of them.

export interface Reply {
  status: number
  /** Answered as JSON; absent for 204. */
  body?: object
  headers?: Record<string, string>
  /** Answered instead of a body; its type is in the headers. */
  stream?: Readable
}

const DEFAULT_RETRY_AFTER_S = 10

export async function sendReply(res: Response, { status, body, headers, stream }: Reply) {
  res.statusCode = status
  for (const name in headers) res.setHeader(name, headers[name]!)
  if (stream) return pipeline(stream, res)
  if (!body) return res.end()
  res.setHeader('Content-Type', 'application/json; charset=utf-8')
  return res.end(JSON.stringify(body))
}

const membersOf = ({ options: { target, details, members } }: Refusal, requestId: string) => ({
  target,
  details,
  ...members,
  request_id: requestId,
})

const PROBLEM = 'application/problem+json'
const ASKS_FOR_PROBLEM = /application\/problem\+json(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i

/** Answers a refusal, as RFC 9457 problem where the caller asks for it. */
export function sendRefusal(req: Request, res: Response, refusal: Refusal) {
  const { code, status, message, options } = refusal
  res.statusCode = status
  res.locals.refusal = code
  if (status === 401) res.setHeader('WWW-Authenticate', 'Bearer')
  if (status === 429 || status === 503 || status === 507 || options.retryAfter !== undefined) {
    const seconds = Math.ceil(options.retryAfter ?? DEFAULT_RETRY_AFTER_S)
    res.setHeader('Retry-After', Math.max(1, seconds))
  }
  const isProblem = ASKS_FOR_PROBLEM.test(req.headers.accept ?? '')
  res.setHeader('Content-Type', isProblem ? PROBLEM : 'application/json; charset=utf-8')
  const rest = membersOf(refusal, res.locals.requestId)
  const title = STATUS_CODES[status]
  const answer = isProblem
    ? { type: 'about:blank', title, status, detail: message, code, ...rest }
    : { error: { code, message, ...rest } }
  res.end(JSON.stringify(answer))
}
