// Reads the bodies of OData calls itself, after the caller is known: CAP 10.1.1 and its V2 adapter read up to 100 kB and
// 100 MB, wait for all of what they refuse, and fail over bodies that are no objects. Needed until they do not.
import cds from '@sap/cds'
import type { Application, Request, RequestHandler, Response } from 'express'
import { isAnonymous, signInOr } from '../cap/authentication.ts'
import { checkRequests, objectOf, rewriteBatch } from '../cap/batches.ts'
import { facade } from '../cap/facade.ts'
import {
  BODY_LIMIT,
  BodyFault,
  hasBody,
  isBodyFault,
  parseJson,
  readBytes,
  textOf,
} from '../http/bodies.ts'

declare module 'express-serve-static-core' {
  interface Locals {
    /** Of a call, or of all calls of a batch. */
    calls?: { reads: number; changes: number }
  }
}

/** Before every service of CAP, once its caller is known: whoever is unknown is asked to sign in, unread. */
export const readBodies = () =>
  facade.middlewares.add((req, res, next) => (isAnonymous() ? next() : takeBody(req, res, next)), {
    after: 'auth',
  })

/** Puts the body where CAP and its V2 adapter look for one that has been read. */
const takeBody: RequestHandler = (req, res, next) => {
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

function refuse(res: Response, { status, code, message }: BodyFault) {
  res.status(status).json({ error: { code, message } })
}

// Makes the OData V2 adapter answer as SAP Gateway does, where it does not by itself.
// Tried with @cap-js-community/odata-v2-adapter 1.15.10 and @sap/cds 10.1.1. Needed until the adapter takes functions
// by POST without a body, and faults of a batch whose `innererror` is a text.
// What it has switches for stands in package.json: `cov2ap`, and the log level of `cov2ap/hpm`, which would write every
// call's address, comments included.

/**
 * Prepares the calls of the one service that is served by V2, before the adapter sees them: it would serve every
 * other too, and read bodies of 100 MB of callers whom nobody knows.
 */
export function prepareV2(app: Application, service: string) {
  app.use('/odata/v2', only(service))
  app.use(`/odata/v2/${service}`, assumeJson, requireSignIn(), takeBody)
  app.use(`/odata/v4/${service}`, removeInnerText)
}

/** The adapter resolves dots, and would come to another service by them. */
const DOTS = /[\\/](\.|%2e){1,2}([\\/]|$)/i

const only =
  (service: string): RequestHandler =>
  (req, res, next) => {
    if (!DOTS.test(req.path) && `${req.path}/`.startsWith(`/${service}/`)) return next()
    const message = 'There is nothing at this path.'
    res.status(404).json({ error: { code: 'not_found', message } })
  }

/** The service itself asks for a sign-in as well: here nothing is read of a call without one. */
function requireSignIn(): RequestHandler {
  const signedIn = signInOr(() => new Error('Nobody is signed in.'))
  return (req, res, next) => {
    void signedIn(req, res, (error?: unknown) => {
      if (!error) return next()
      if (takesPasswords()) res.setHeader('WWW-Authenticate', 'Basic realm="Users"')
      res.sendStatus(401)
    })
  }
}

const takesPasswords = () =>
  ['mocked', 'basic'].includes((cds.env.requires.auth as { kind?: string }).kind ?? '')

/** My Inbox calls functions by POST, with all that they need in the address and nothing in the body. */
const assumeJson: RequestHandler = (req, _res, next) => {
  if (req.method === 'POST' && !req.headers['content-type']) {
    req.headers['content-type'] = 'application/json'
  }
  next()
}

interface Refused {
  error?: { innererror?: unknown }
}

/** Of a batch that cannot be read CAP answers the parser's text, where the adapter needs an object or ends the process. */
const removeInnerText: RequestHandler = (_req, res, next) => {
  const json = res.json.bind(res)
  res.json = (body: Refused) => {
    if (typeof body?.error?.innererror === 'string') delete body.error.innererror
    return json(body)
  }
  next()
}
