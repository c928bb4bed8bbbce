// SAP Task Center's service provider interface, version 2: reading tasks, and people's decisions.
import { randomUUID } from 'node:crypto'
import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express'
import cds from '@sap/cds'
import { z } from 'zod'
import { signInOr } from '../../../base/cap/authentication.ts'
import {
  isAway,
  showRetryAfter,
  toDatabaseRefusal,
} from '../../../base/database/database-faults.ts'
import { readAs, Tasks } from '../../../base/database/entities.ts'
import { isRefusal } from '../../../base/errors.ts'
import { BODY_LIMIT, isBodyFault, parseJson, readBytes, textOf } from '../../../base/http/bodies.ts'
import { text } from '../../../base/input.ts'
import { isProduction } from '../../../base/settings/config.ts'
import { REASON_CODES } from '../../../base/texts/codes.ts'
import { languageOf, preferredLanguage } from '../../../base/texts/texts.ts'
import { decideTask } from '../decide.ts'
import { changeLines, findTask, openTaskFor, setClaim } from '../inbox.ts'
import { type Person, personOf, rememberUser } from '../person.ts'
import { invalid, notFound, TaskRefusal, toTaskRefusal } from '../refusal.ts'
import { keepShown, TASK_CENTER, type TaskRow, toTask } from '../task.ts'
import { DEFINITION, descriptionOf, publicUrl } from '../texts.ts'
import {
  ACTIONS,
  definition,
  languages,
  lastId,
  localIdOf,
  modifiedAfter,
  placeAfter,
  RESPONSES,
  toSpiTasks,
  whole,
} from './to-spi-task.ts'

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

const LONGEST = 1000

const Answer = z.object({
  code: z.string(),
  comment: text().max(LONGEST).nullish(),
  reasonCode: z.string().nullish(),
})

function bodyOf<T>(req: Request, schema: z.ZodType<T>): T {
  if (typeof req.body !== 'object' || req.body === null) {
    throw new TaskRefusal(400, 'invalid_request', 'The body must be a JSON object.')
  }
  const { data, error } = schema.safeParse(req.body)
  if (data !== undefined) return data
  const [issue] = error!.issues
  throw invalid(issue!.path.join('.') || 'body', issue!.message)
}

const oneOf = <T extends string>(target: string, codes: readonly T[], value: string): T => {
  const found = codes.find((code) => code === value)
  if (found) return found
  throw invalid(target, `must be one of ${codes.join(', ')}`)
}

const description: RequestHandler = async (req, res) => {
  const person = personIn(res)
  const language = preferredLanguage(req.headers['accept-language'])
  const task = await openTaskFor(person, taskIn(req))
  const text = await descriptionOf(task, language)
  await keepShown([task], { door: 'task_center', user: person.id })
  res.setHeader('Content-Language', language)
  res.type('text/plain; charset=utf-8').send(text)
}

const response: RequestHandler = async (req, res) => {
  const person = personIn(res)
  const { wanted, localId } = askedIn(req)
  const { code, comment, reasonCode } = bodyOf(req, Answer)
  const text = comment?.trim() || null
  const decision = {
    code: oneOf('code', RESPONSES, code),
    comment: text,
    reason: reasonCode ? oneOf('reasonCode', REASON_CODES, reasonCode) : null,
  }
  if (decision.code === 'approve' && decision.reason) throw invalid('reasonCode', 'is for reject')
  const task = await decideTask(person, localId, decision, 'task_center')
  res.json((await toSpiTasks([task], wanted, publicUrl()))[0])
}

const action: RequestHandler = async (req, res) => {
  const person = personIn(res)
  const { wanted, localId } = askedIn(req)
  const code = oneOf('code', ACTIONS, bodyOf(req, Answer).code)
  const task = await setClaim(person, localId, code === 'claim')
  await keepShown([task], TASK_CENTER)
  res.json((await toSpiTasks([task], wanted, publicUrl()))[0])
}

const askedIn = (req: Request) => ({ wanted: languages(req), localId: taskIn(req) })

const Lines = z.strictObject({
  lines: z
    .array(
      z.strictObject({
        proposal: z.string().regex(/^prop_[1-9]\d{0,8}$/),
        excluded: z.boolean().optional(),
        quantity: z.int().min(1).max(1e12).nullish(),
      }),
    )
    .min(1)
    .max(LONGEST),
})

/** Beyond the SPI: the lines of an order's task. */
const lines: RequestHandler = async (req, res) => {
  const person = personIn(res)
  const changes = req.method === 'GET' ? [] : bodyOf(req, Lines).lines
  res.json({ value: await changeLines(person, taskIn(req), changes) })
}

// The data that Task Center reads: definitions, and tasks in the order in which they changed.

const PAGE = 100
const MOST = 1000
const FARTHEST = 2_147_483_647

const capabilities: RequestHandler = (_req, res) => {
  res.json({
    value: [
      { name: 'tasks.pull', value: 'true' },
      { name: 'taskDefinitions.pull', value: 'true' },
      { name: 'tasks.push', value: 'false' },
    ],
  })
}

const definitions: RequestHandler = async (req, res) => {
  const wanted = languages(req)
  const top = whole(req, '$top', 1, MOST, PAGE)
  const skip = whole(req, '$skip', 0, FARTHEST, 0)
  res.json({ value: [await definition(wanted)].slice(skip, skip + top) })
}

const oneDefinition: RequestHandler = async (req, res) => {
  const wanted = languages(req)
  if (localIdOf('taskdefinition', String(req.params.urn)) !== DEFINITION) {
    throw notFound('There is no such task definition.')
  }
  res.json(await definition(wanted))
}

/** Ordered by (modifiedAt, urn). */
const tasks: RequestHandler = async (req, res) => {
  const wanted = languages(req)
  const [stamp, last, top] = [modifiedAfter(req), lastId(req), whole(req, '$top', 0, MOST, PAGE)]
  const found = await tasksFrom(stamp, last === null ? '' : placeAfter(last), top)
  const value = await toSpiTasks(found, wanted, publicUrl())
  await keepShown(found, TASK_CENTER)
  res.json({ value })
}

/**
 * Tasks in the order of (stamp, place), read in one statement, so that no change is missed.
 * @param place continues after it within the stamp; empty for its beginning
 */
async function tasksFrom(stamp: number, place: string, top: number) {
  if (!top) return []
  const rows = await readAs<TaskRow>(
    SELECT.from(Tasks).where`stamp >= ${stamp} and (stamp > ${stamp} or place > ${place})`
      .orderBy('stamp', 'place')
      .limit(top),
  )
  return rows.map(toTask)
}

const oneTask: RequestHandler = async (req, res) => {
  const wanted = languages(req)
  const task = await findTask(taskIn(req))
  const [answer] = await toSpiTasks([task], wanted, publicUrl())
  await keepShown([task], TASK_CENTER)
  res.json(answer)
}

/** The local id in a path. @throws TaskRefusal 404 */
function taskIn({ params }: Pick<Parameters<RequestHandler>[0], 'params'>): string {
  const localId = localIdOf('task', String(params.urn))
  if (localId === null) throw notFound()
  return localId
}

// Who calls: Task Center itself (a technical user), or a person through it.

/** The scope of the technical user, and in development its name and password. */
const SCOPE = 'TaskCenter'
const DEVELOPMENT_USER = 'taskcenter'

type Caller = { technical: true } | { technical: false; person: Person }

declare module 'express-serve-static-core' {
  interface Locals {
    caller: Caller
  }
}

const unauthorized = () =>
  new TaskRefusal(401, 'unauthorized', 'A valid token is needed; its user must be known here.')

const basic = (name: string, password: string) =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`

/** CAP's own authentication, as configured: mocked users in development, XSUAA or IAS in production. */
function authenticate(): RequestHandler {
  const signedIn = signInOr(unauthorized)
  return (req, res, next) => {
    const isMocked = !isProduction() && authKind() === 'mocked'
    if (isMocked && req.headers.authorization === basic(DEVELOPMENT_USER, DEVELOPMENT_USER)) {
      res.locals.caller = { technical: true }
      return next()
    }
    if (!req.headers.authorization) return next(unauthorized())
    signedIn(req, res, (error?: unknown) => {
      if (error) return next(error)
      identify(res).then(() => next(), next)
    })
  }
}

const authKind = () => (cds.env.requires.auth as { kind?: string } | undefined)?.kind

async function identify(res: Response) {
  const user = cds.context!.user
  if (user.is('system-user')) {
    if (!user.is(SCOPE)) throw new TaskRefusal(403, 'forbidden', `The scope ${SCOPE} is needed.`)
    res.locals.caller = { technical: true }
    return
  }
  await rememberUser(user)
  res.locals.caller = { technical: false, person: personOf(user) }
}

/** Admits only Task Center. */
const technicalOnly: RequestHandler = (_req, res, next) => {
  if (res.locals.caller.technical) return next()
  next(new TaskRefusal(403, 'forbidden', 'Only the technical user of Task Center reads this.'))
}

/** The calling person. @throws TaskRefusal 403 for Task Center itself */
function personIn(res: Response): Person {
  const { caller } = res.locals
  if (!caller.technical) return caller.person
  throw new TaskRefusal(403, 'forbidden', 'This needs the user who works on the task.')
}
