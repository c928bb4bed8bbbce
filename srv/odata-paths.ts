import type { EventEmitter } from 'node:events'
import type { Application, RequestHandler } from 'express'
import cds from '@sap/cds'

/** CAP decodes paths to log them, and ends the process over one that is no UTF-8. */
const wellFormed: RequestHandler = (req, res, next) => {
  try {
    decodeURI(req.path)
    next()
  } catch {
    const message = 'The address is not well-formed: percent-encoded UTF-8 is needed.'
    res.status(400).json({ error: { code: '400', message } })
  }
}

/** Before the service starts: the V2 adapter is a plugin, and stands first otherwise. */
export function refuseMalformedPaths() {
  const { prependListener } = cds as unknown as Pick<EventEmitter, 'prependListener'>
  prependListener.call(cds, 'bootstrap', (app: Application) => {
    app.use('/odata', wellFormed)
  })
}
