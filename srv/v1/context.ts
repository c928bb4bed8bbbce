import { randomUUID } from 'node:crypto'
import type { RequestHandler } from 'express'
import cds from '@sap/cds'

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/

/** Gives the request its id, and the services behind it a context of their own that carries it. */
export const withContext: RequestHandler = (req, res, next) => {
  const given = req.headers['x-request-id']
  const id = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
  res.locals.requestId = id
  res.setHeader('X-Request-Id', id)
  res.setHeader('Cache-Control', 'no-store')
  cds.context = new cds.EventContext({ id } as never)
  next()
}
