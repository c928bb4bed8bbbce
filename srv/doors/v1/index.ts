import express, { type ErrorRequestHandler, type RequestHandler, type Router } from 'express'
import cds from '@sap/cds'
import { isRefusal, Refusal } from '../../base/errors.ts'
import { admit, admitAnyone, withContext } from './admit.ts'
import { refuseOtherSites, serveAgent } from './agent.ts'
import { endpoints } from './endpoints.ts'
import { assertFileIsThere } from '../../base/database/database-file.ts'
import { isAway, toDatabaseRefusal } from '../../base/database/database-faults.ts'
import { areLimitsShared } from '../../base/http/shared-counts.ts'
import { sendRefusal } from './http/answer.ts'
import { serve } from './http/endpoint.ts'
import { inDatabaseOrMemory, inMemory, inSteps, type NewCounter } from './limits/counters.ts'
import { Limiter } from './limits/limiter.ts'
import { openApiText } from './openapi/index.ts'

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

export const v1Router = (options: Options = {}) => v1Routers(options).v1

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
