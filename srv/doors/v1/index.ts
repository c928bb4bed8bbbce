import { randomUUID } from 'node:crypto'
import express, {
  type ErrorRequestHandler,
  type RequestHandler,
  type Response,
  type Router,
} from 'express'
import cds from '@sap/cds'
import { isAway, toDatabaseRefusal } from '../../base/database/database-faults.ts'
import { assertFileIsThere } from '../../base/database/database-file.ts'
import { isRefusal, Refusal } from '../../base/errors.ts'
import { addressOf } from '../../base/http/addresses.ts'
import { areLimitsOff, areLimitsShared } from '../../base/http/rates.ts'
import { type VerifiedKey, verifyKey } from '../../domain/keys/index.ts'
import { refuseOtherSites, serveAgent } from './agent.ts'
import { endpoints } from './endpoints.ts'
import { sendRefusal } from './http/body.ts'
import { serve } from './http/endpoint.ts'
import {
  groupOf as groupOfPath,
  inDatabaseOrMemory,
  inMemory,
  inSteps,
  Limiter,
  type NewCounter,
  type Standing,
} from './limiter.ts'
import { openApiText } from './openapi.ts'

interface Options {
  /** Where calls are counted; as the configuration says unless said otherwise. */
  newCounter?: NewCounter
}

const configuredCounter = (): NewCounter => (areLimitsShared() ? inDatabaseOrMemory : inMemory)

/** The REST API, to be mounted at /v1, and the agent's door, at /mcp: both count by the same limits. */
export function v1Routers({ newCounter = configuredCounter() }: Options = {}) {
  const limiter = new Limiter(newCounter, newCounter === inDatabaseOrMemory ? inSteps : newCounter)
  return { v1: restRouter(limiter), agent: agentRouter(limiter) }
}

function restRouter(limiter: Limiter): Router {
  const router = express.Router({ strict: true, caseSensitive: true })
  router.use(withContext)
  router
    .route('/openapi.json')
    .all(admitAnyone(limiter))
    .get((_req, res) => res.type('application/json').end(openApiText()))
    .all(onlyAllow(['GET', 'HEAD']))
  router.use(admit(limiter), assertFileIsThere)
  for (const [path, ofPath] of Map.groupBy(endpoints, ({ path }) => path)) {
    const route = router.route(path)
    for (const endpoint of ofPath) route[endpoint.method](serve(endpoint))
    const methods = ofPath.map(({ method }) => method.toUpperCase())
    route.all(onlyAllow(methods.includes('GET') ? ['HEAD', ...methods] : methods))
  }
  return router.use(nothingHere, answerError)
}

function agentRouter(limiter: Limiter): Router {
  const router = express.Router()
  router.use(
    withContext,
    refuseOtherSites,
    admit(limiter, () => 'agent'),
    assertFileIsThere,
  )
  router
    .route('/')
    .post(serveAgent)
    .all(onlyAllow(['POST']))
  return router.use(nothingHere, answerError)
}

const nothingHere: RequestHandler = () => {
  throw new Refusal('not_found', 'There is nothing at this path.')
}

const onlyAllow =
  (methods: string[]): RequestHandler =>
  (_req, res) => {
    res.setHeader('Allow', methods.join(', '))
    throw new Refusal('method_not_allowed', 'This path does not take this method.')
  }

const answerError: ErrorRequestHandler = (error: Error | undefined, req, res, _next) => {
  if (res.headersSent || res.destroyed) {
    cds.log('v1').warn(`${req.method} ${req.path} broke off`, res.locals.requestId, error)
    res.destroy()
  } else sendRefusal(req, res, toRefusal(error, `${req.method} ${req.path}`, res.locals.requestId))
}

function toRefusal(error: Error | undefined, call: string, requestId: string): Refusal {
  if (isRefusal(error)) return error
  if (error?.name === 'URIError') return new Refusal('not_found', 'There is nothing at this path.')
  if (!isAway(error)) cds.log('v1').error(`${call} failed`, requestId, error)
  const told = toDatabaseRefusal(error)
  if (isRefusal(told)) return told
  return new Refusal('internal_error', 'Something went wrong on our side.')
}

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/

/** Gives the request its id, and a context for the services that carries it. */
const withContext: RequestHandler = (req, res, next) => {
  const given = req.headers['x-request-id']
  const id = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
  res.locals.requestId = id
  res.setHeader('X-Request-Id', id)
  res.setHeader('Cache-Control', 'no-store')
  cds.context = new cds.EventContext({ id } as never)
  next()
}

declare module 'express-serve-static-core' {
  interface Locals {
    key: VerifiedKey
  }
}

/** Admits a call with a valid key whose limit is not used up, and counts it, even if it is refused later. */
function admit(limiter: Limiter, groupOf = groupOfPath): RequestHandler {
  const assertWithin = limitAsserter()
  return async (req, res, next) => {
    try {
      res.locals.key = await verifyKey(req.headers.authorization)
    } catch (error) {
      if (isRefusal(error)) assertWithin(res, await limiter.takeAddress(addressOf(req)))
      throw error
    }
    const { id, user } = res.locals.key
    assertWithin(res, await limiter.takeKey(groupOf(req.path), id, cds.context?.tenant ?? ''))
    cds.context!.user = user
    next()
  }
}

/** Admits a call that needs no key, and counts it for its address. */
function admitAnyone(limiter: Limiter): RequestHandler {
  const assertWithin = limitAsserter()
  return async (req, res, next) => {
    assertWithin(res, await limiter.takeAddress(addressOf(req)))
    next()
  }
}

function limitAsserter() {
  const isOff = areLimitsOff()
  return (res: Response, standing: Standing) => {
    showStanding(res, standing)
    if (!standing.refused || isOff) return
    throw new Refusal('rate_limited', 'Too many calls. Wait as long as Retry-After says.', {
      retryAfter: standing.msToReset / 1000,
    })
  }
}

function showStanding(res: Response, { limit, remaining, msToReset }: Standing) {
  res.setHeader('X-RateLimit-Limit', limit)
  res.setHeader('X-RateLimit-Remaining', remaining)
  res.setHeader('X-RateLimit-Reset', Math.ceil((Date.now() + msToReset) / 1000))
}
