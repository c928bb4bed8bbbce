// SAP Task Center's service provider interface, version 2: reading tasks, and people's decisions.
import { randomUUID } from 'node:crypto'
import express, {
  type ErrorRequestHandler,
  type RequestHandler,
  type Response,
  type Router,
} from 'express'
import cds from '@sap/cds'
import { BODY_LIMIT, isBodyFault, parseJson, readBytes, textOf } from '../../../base/http/bodies.ts'
import { isRefusal } from '../../../base/errors.ts'
import {
  isAway,
  showRetryAfter,
  toDatabaseRefusal,
} from '../../../base/database/database-faults.ts'
import { notFound, TaskRefusal, toTaskRefusal } from '../refusal.ts'
import { languageOf, preferredLanguage } from '../../../base/texts/texts.ts'
import { authenticate, technicalOnly } from './authenticate.ts'
import { action, description, lines, response } from './decide.ts'
import { capabilities, definitions, oneDefinition, oneTask, tasks } from './pull.ts'

const LOG = cds.log('tasks')

/** To be mounted at /task-provider/v2, and where destinations carry it, below /api. */
export function taskCenterRouter(): Router {
  const router = express.Router({ caseSensitive: true })
  router.use((_req, res, next) => {
    res.locals.requestId = randomUUID()
    res.setHeader('Cache-Control', 'no-store')
    next()
  })
  router.use(authenticate())
  router.get('/capabilities', technicalOnly, capabilities)
  router.get('/taskDefinitions', technicalOnly, definitions)
  router.get('/taskDefinitions/:urn', technicalOnly, oneDefinition)
  router.get('/tasks', technicalOnly, tasks)
  router.get('/tasks/:urn', technicalOnly, oneTask)
  router.get('/tasks/:urn/description', description)
  router.post('/tasks/:urn/response', body, response)
  router.post('/tasks/:urn/action', body, action)
  router.get('/tasks/:urn/lines', lines)
  router.patch('/tasks/:urn/lines', body, lines)
  const notOffered: [('get' | 'post')[], string][] = [
    [['get'], '/tasks/:urn/details'],
    [['get', 'post'], '/tasks/:urn/attachments'],
    [['get', 'post'], '/tasks/:urn/comments'],
    [['post'], '/bulkOperation'],
  ]
  for (const [methods, path] of notOffered) for (const each of methods) router[each](path, notDone)
  router.use(() => {
    throw notFound('There is nothing at this path.')
  })
  router.use(answerError)
  return router
}

const notDone: RequestHandler = () => {
  throw new TaskRefusal(501, 'not_implemented', 'This part of the interface is not offered.')
}

const answerError: ErrorRequestHandler = async (error, req, res, _next) => {
  if (res.headersSent) return void res.destroy()
  const wanted = new URL(req.url, 'http://localhost').searchParams.get('languages')
  const language =
    languageOf(wanted?.split(',')[0] ?? '') ?? preferredLanguage(req.headers['accept-language'])
  const refusal = refusalOf(await toTaskRefusal(error, language), `${req.method} ${req.path}`, res)
  const { status, code, message, target, details } =
    refusal.status === 401 && res.locals.retryAfter ? tooOften(res.locals.retryAfter, res) : refusal
  if (status === 401) res.setHeader('WWW-Authenticate', 'Bearer, Basic realm="Restock"')
  const inside = details.map(({ code, message }) => ({ code, message }))
  res.status(status).json({ error: { code, message, target, details: inside } })
}

function tooOften(seconds: number, res: Response): TaskRefusal {
  res.setHeader('Retry-After', seconds)
  return new TaskRefusal(429, 'rate_limited', 'Too many calls. Wait as long as Retry-After says.')
}

/** The body as JSON, once it is known who calls. */
const body: RequestHandler = async (req, _res, next) => {
  const bytes = await readBytes(req, BODY_LIMIT)
  const isJson = /\bapplication\/json\b/i.test(req.headers['content-type'] ?? '')
  if (bytes.length && isJson) req.body = parseJson(textOf(bytes))
  next()
}

/** What the framework refuses is the caller's fault; every other error is internal and only logged. */
function refusalOf(error: unknown, call: string, res: Response): TaskRefusal {
  if (error instanceof TaskRefusal) return error
  if (isBodyFault(error)) {
    return new TaskRefusal(error.status, error.code, error.message)
  }
  const { status, name } = (error ?? {}) as { status?: number; name?: string }
  if (name === 'URIError') return notFound('There is nothing at this path.')
  if (status && status >= 400 && status < 500) {
    return new TaskRefusal(400, 'invalid_request', 'The body must be a JSON object in UTF-8.')
  }
  if (!isAway(error)) LOG.error(`${call} failed`, error)
  const told = toDatabaseRefusal(error)
  if (isRefusal(told)) {
    showRetryAfter(res, told)
    return new TaskRefusal(told.status, told.code, told.message)
  }
  return new TaskRefusal(500, 'internal_error', 'Something went wrong on our side.')
}
