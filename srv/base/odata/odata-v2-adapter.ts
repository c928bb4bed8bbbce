// Makes the OData V2 adapter answer as SAP Gateway does, where it does not by itself.
// Tried with @cap-js-community/odata-v2-adapter 1.15.10 and @sap/cds 10.1.1. Needed until the adapter takes functions
// by POST without a body, and faults of a batch whose `innererror` is a text.
// What it has switches for stands in package.json: `cov2ap`, and the log level of `cov2ap/hpm`, which would write every
// call's address, comments included.
import cds from '@sap/cds'
import type { Application, RequestHandler } from 'express'
import { signInOr } from '../cap/authentication.ts'
import { takeBody } from './odata-bodies.ts'

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
