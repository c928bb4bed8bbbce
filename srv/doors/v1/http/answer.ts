import { STATUS_CODES } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Request, Response } from 'express'
import type { Refusal } from '../../../base/errors.ts'

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
