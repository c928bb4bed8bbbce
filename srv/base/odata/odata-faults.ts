// Outside of production CAP 10.1.1 answers its own faults with their text, which may hold SQL and paths of the machine.
// Needed until it tells them to the log alone.
import cds from '@sap/cds'
import type { ErrorRequestHandler } from 'express'
import { isRefusal } from '../errors.ts'
import { isAway, showRetryAfter, toDatabaseRefusal } from '../database/database-faults.ts'
import { message } from '../texts/texts.ts'
import { facade } from '../cap/facade.ts'

const MESSAGE = 'Something went wrong on our side.'

/** What CAP says, with the status 500, of a filter, or of groups, by what is no column of the database. */
const OF_COMPUTED = [
  'Virtual elements are not allowed in expressions',
  'Queries must have at least one non-virtual column',
]
const COMPUTED =
  'What is computed for each row can be neither filtered nor grouped by ($filter, $apply); $metadata names it among the NonFilterableProperties.'

interface Fault {
  status?: number
  message?: string
}

/** What a caller did is told, and what we mean to tell; of the rest only that it happened. */
const hideFault: ErrorRequestHandler = (error: Fault | number, req, res, next) => {
  if (typeof error === 'object' && OF_COMPUTED.includes(error.message ?? ''))
    return next(Object.assign(new Error(COMPUTED), { status: 400, code: 'invalid_parameter' }))
  const isOurs = typeof error === 'object' && error.status === 500 && !isRefusal(error)
  if (!isOurs) return next(error)
  if (!isAway(error)) cds.log('odata').error(`${req.method} ${req.path} failed`, error)
  const told = toDatabaseRefusal(error)
  if (isRefusal(told)) showRetryAfter(res, told)
  const { status, code } = isRefusal(told) ? told : { status: 500, code: 'internal_error' }
  const text = isRefusal(told) ? message(told.options.sentence?.key ?? code) : MESSAGE
  next(Object.assign(new Error(text), { status, code }))
}

/** Before services are served. */
export const hideFaults = () => void facade.middlewares.after.unshift(hideFault)
