// Outside of production CAP 10.1.1 answers its own faults with their text, which may hold SQL and paths of the machine, and
// calls a fault of its own what the database refuses of a caller's condition or text. Needed until it does neither.
import cds from '@sap/cds'
import type { ErrorRequestHandler } from 'express'
import { invalidParameter, isRefusal, toODataError } from '../errors.ts'
import { isAway, isUnfit, showRetryAfter, toDatabaseRefusal } from '../database/database-faults.ts'
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

/** What is compared or computed with is no value of the element, or the function is none for it. */
const UNFIT =
  'A value does not fit what it is compared with, or a function what it is applied to: in the key, $filter, $orderby, $apply, $compute, $search or $skiptoken.'

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
  if (req.method === 'GET' && isUnfit(error)) {
    cds.log('odata').warn(`GET ${req.path} was refused by the database:`, error.message)
    return next(Object.assign(new Error(UNFIT), { status: 400, code: 'invalid_parameter' }))
  }
  if (!isAway(error)) cds.log('odata').error(`${req.method} ${req.path} failed`, error)
  const told = toDatabaseRefusal(error)
  if (isRefusal(told)) showRetryAfter(res, told)
  const { status, code } = isRefusal(told) ? told : { status: 500, code: 'internal_error' }
  const text = isRefusal(told) ? message(told.options.sentence?.key ?? code) : MESSAGE
  next(Object.assign(new Error(text), { status, code }))
}

/** Before services are served. */
export const hideFaults = () => void facade.middlewares.after.unshift(hideFault)

/** What a database cannot hold: a NUL character, or half of a character that takes two units of UTF-16, as an emoji. */
const isUnstorable = (text: string) => text.includes('\0') || !text.isWellFormed()

/** The first such text within what was sent, by the path of its fields. */
function findUnstorable(value: unknown, path: string[] = []): string[] | null {
  if (typeof value === 'string') return isUnstorable(value) ? path : null
  if (typeof value !== 'object' || value === null) return null
  for (const [name, each] of Object.entries(value)) {
    const found = findUnstorable(each, Array.isArray(value) ? path : [...path, name])
    if (found) return found
  }
  return null
}

/** Of every service, before it is served: PostgreSQL would refuse the row. */
export function refuseUnstorableTexts() {
  cds.on('serving', (service) => {
    service.prepend(() => {
      service.before('*', ({ event, data }: cds.Request) => {
        const path = event === 'READ' ? null : findUnstorable(data)
        if (!path) return
        const [target, text] = [path.join('/'), message('text_not_storable')]
        throw toODataError(invalidParameter(target, text), text, { target })
      })
    })
  })
}
