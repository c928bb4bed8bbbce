// What no door has answered: short JSON, without the text of the fault, which may name paths of the machine.
import { STATUS_CODES } from 'node:http'
import cds from '@sap/cds'
import type { ErrorRequestHandler, RequestHandler } from 'express'
import { isRefusal } from '../errors.ts'
import { isAway, showRetryAfter, toDatabaseRefusal } from '../store/database-faults.ts'

export const nothingHere: RequestHandler = (_req, res) => {
  const message = 'There is nothing at this path.'
  res.status(404).json({ error: { code: 'not_found', message } })
}

export const answerFault: ErrorRequestHandler = (error, req, res, _next) => {
  const { status = 500 } = (error ?? {}) as { status?: number }
  const isCallers = status >= 400 && status < 500
  if (!isCallers && !isAway(error))
    cds.log('restock').error(`${req.method} ${req.path} failed:`, error)
  if (res.headersSent) return void res.destroy()
  const told = toDatabaseRefusal<unknown>(error)
  if (isRefusal(told)) {
    const { code, message } = told
    showRetryAfter(res, told)
    return void res.status(told.status).json({ error: { code, message } })
  }
  const answered = isCallers ? status : 500
  const code = isCallers ? 'invalid_request' : 'internal_error'
  res.status(answered).json({ error: { code, message: `${STATUS_CODES[answered]}.` } })
}
