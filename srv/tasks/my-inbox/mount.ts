// Makes the OData V2 adapter answer as SAP Gateway does, where it does not by itself.
import type { EventEmitter } from 'node:events'
import type { Application, RequestHandler } from 'express'
import cds from '@sap/cds'
import { csrf } from './csrf.ts'

/** My Inbox calls functions by POST, with all that they need in the address and nothing in the body. */
const asJson: RequestHandler = (req, _res, next) => {
  if (req.method === 'POST' && !req.headers['content-type']) {
    req.headers['content-type'] = 'application/json'
  }
  next()
}

interface Refused {
  error?: { innererror?: unknown }
}

/** Of a batch that cannot be read CAP tells the parser's words, where the adapter needs an object or ends the process. */
const insideAsObject: RequestHandler = (_req, res, next) => {
  const json = res.json.bind(res)
  res.json = (body: Refused) => {
    if (typeof body?.error?.innererror === 'string') delete body.error.innererror
    return json(body)
  }
  next()
}

/** Before the service starts: the adapter is a plugin, and must find this done. */
export function mountMyInbox() {
  const env = cds.env as unknown as { cov2ap?: object }
  env.cov2ap = { jsonDateOffset: false, ...env.cov2ap }
  // It would write every call's address, comments included.
  cds.log('cov2ap/hpm', 'warn' as never)
  const { prependListener } = cds as unknown as Pick<EventEmitter, 'prependListener'>
  prependListener.call(cds, 'bootstrap', (app: Application) => {
    app.use('/odata/v2/TASKPROCESSING', asJson)
    app.use('/odata/v4/TASKPROCESSING', insideAsObject, csrf())
  })
}
