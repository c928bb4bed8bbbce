// Reads the bodies of OData calls itself, after the caller is known: CAP 10.1.1 and its V2 adapter read up to 100 kB and
// 100 MB, wait for all of what they refuse, and fail over bodies that are no objects. Needed until they do not.
import cds from '@sap/cds'
import type { Request, RequestHandler, Response } from 'express'
import {
  BODY_LIMIT,
  BodyFault,
  hasBody,
  isBodyFault,
  parseJson,
  readBytes,
  textOf,
} from '../http/bodies.ts'
import { checkRequests, objectOf, rewriteBatch } from '../cap/batches.ts'
import { facade } from '../cap/facade.ts'

declare module 'express-serve-static-core' {
  interface Locals {
    /** Of a call, or of all calls of a batch. */
    calls?: { reads: number; changes: number }
  }
}

/** Before every service of CAP, once its caller is known: whoever is unknown is asked to sign in, unread. */
export const readBodies = () =>
  facade.middlewares.add((req, res, next) => (isUnknown() ? next() : takeBody(req, res, next)), {
    after: 'auth',
  })

function isUnknown() {
  const user = cds.context?.user
  return !user || user instanceof cds.User.Anonymous
}

/** Puts the body where CAP and its V2 adapter look for one that has been read. */
export const takeBody: RequestHandler = (req, res, next) => {
  readOData(req, res).then(
    () => next(),
    (error) => (isBodyFault(error) ? refuse(res, error) : next(error)),
  )
}

async function readOData(req: Request, res: Response) {
  const type = req.headers['content-type'] ?? ''
  const isBatch = req.path.endsWith('/$batch')
  const isReading = ['GET', 'HEAD', 'OPTIONS'].includes(req.method)
  res.locals.calls = isReading ? { reads: 1, changes: 0 } : { reads: 0, changes: 1 }
  const isJson = /\bapplication\/json\b/i.test(type)
  if (isBatch && isReading) return
  if (isBatch && !isJson && !/^multipart\/mixed\b/i.test(type)) {
    throw new BodyFault(415, 'A batch must be multipart/mixed or application/json.')
  }
  if (!isJson && !isBatch) {
    if (hasBody(req)) throw new BodyFault(415, 'The body must be application/json.')
    return
  }
  const text = textOf(await readBytes(req, BODY_LIMIT))
  delete req.headers['content-encoding']
  if (!isJson) {
    const { boundary, text: body, ...calls } = rewriteBatch(type, text)
    req.headers['content-type'] = `multipart/mixed; boundary=${boundary}`
    res.locals.calls = calls
    setBody(req, body)
  } else if (text) {
    const body = objectOf(parseJson(text))
    if (isBatch) res.locals.calls = checkRequests((body as { requests?: unknown }).requests)
    // CAP keeps the text of a body beside it.
    Object.assign(req, { _raw: text })
    setBody(req, body)
  }
}

function setBody(req: Request, body: string | object) {
  req.body = body
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  req.headers['content-length'] = String(Buffer.byteLength(text))
  delete req.headers['transfer-encoding']
}

export function refuse(res: Response, { status, code, message }: BodyFault) {
  res.status(status).json({ error: { code, message } })
}
