// Makes the OData V2 adapter answer as SAP Gateway does, where it does not by itself.
// Tried with @cap-js-community/odata-v2-adapter 1.15.10 and @sap/cds 10.1.1. Needed until the adapter takes functions
// by POST without a body, and faults of a batch whose `innererror` is a text.
// What it has switches for stands in package.json: `cov2ap`, and the log level of `cov2ap/hpm`, which would write every
// call's address, comments included.
import type { Application, RequestHandler } from 'express'

/** Prepares the calls of a service, before the adapter sees them. */
export function prepareV2(app: Application, service: string) {
  app.use(`/odata/v2/${service}`, assumeJson)
  app.use(`/odata/v4/${service}`, removeInnerText)
}

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
