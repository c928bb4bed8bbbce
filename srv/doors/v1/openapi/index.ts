// The OpenAPI 3.1 document, made from the endpoints and the schemas that validate their calls.
import { createRequire } from 'node:module'
import path from 'node:path'
import cds from '@sap/cds'
import express, { type Router } from 'express'
import type { z } from 'zod'
import { CONTENT_TYPES } from '../../../domain/proposals/index.ts'
import { endpoints } from '../endpoints.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { answersOf, HEADERS, type Json, Schemas } from './answers.ts'

const DESCRIPTION = `Demand forecasts and order proposals beside your ERP.

Nothing unknown is ignored: a parameter or field that is not named here is refused with \`invalid_parameter\`.
A path that does not take a method is 405 \`method_not_allowed\`, with \`Allow\`; a path that is none is 404
\`not_found\`. Fields, parameters and codes may be added: a client ignores what it does not know.`

const GROUPS: Record<string, string> = {
  forecasts: 'Demand over a horizon, as quantiles.',
  proposals: 'Order lines that are proposed, and decisions about them.',
  notices: 'What people are told of proposals: asked, passed on, escalated.',
  items: 'Every SKU at every location, and why it is ordered or not.',
  drafts: 'What lies in the ERP before an order: requisitions, requests for quotation, contracts.',
  handovers: "Approved lines as files of the ERP's own import, and who took which.",
  exceptions: 'Orders and stock that no new order can mend.',
  costs: 'What a stockout and stock cost, in the words of a planner, and what that buys.',
  simulations: 'What another service target, lead time or budget would mean, before a rule is set.',
  reports: 'The value of decisions.',
  scorecards: 'Suppliers as they were: on time, in full, days late.',
  audit: 'The audit trail.',
  policies: 'Ordering rules: how pairs are replenished.',
  'planned-events': 'The calendar: promotions, prices, events, holidays and closures.',
  closures: 'When suppliers do no work and locations receive nothing.',
  'forecast-overrides': 'What planners say of coming demand instead of the forecast.',
  'holiday-calendars': 'Whose public holidays hold at which location.',
  keys: 'API keys.',
  'source-types': 'The kinds of ERP that can be connected, and what each is asked for.',
  sources: 'Connected ERPs.',
  syncs: 'Runs that read an ERP.',
  webhooks: 'Addresses that events are sent to.',
  events: 'The log of events, for reading.',
}

const EXAMPLE_IDS: Record<string, string> = {
  proposals: 'prop_1042',
  handovers: 'ho_12',
  exceptions: 'exc_12',
  sources: 'src_1',
  syncs: 'sync_7',
  webhooks: 'wh_1',
  'planned-events': 'plan_12',
  'forecast-overrides': 'ovr_12',
  keys: '0123456789abcdef',
}

const groupOf = (path: string) => path.split('/')[1]!

function parametersOf(endpoint: Endpoint, schemas: Schemas) {
  const { path, query, method, repeatable, example } = endpoint
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    example: name === 'id' ? EXAMPLE_IDS[groupOf(path)] : `evt_${'0'.repeat(28)}`,
  }))
  const shape = (query as z.ZodObject | undefined)?.shape ?? {}
  const inQuery = Object.entries(shape).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !(schema as z.ZodType).safeParse(undefined).success,
    schema: schemas.of(schema as z.ZodType, 'output'),
    ...(example?.query?.[name] !== undefined && { example: example.query[name] }),
  }))
  const idempotency = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'A call with the same key, path and body is done once in 24 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  }
  return [...inPath, ...inQuery, ...(method === 'post' && !repeatable ? [idempotency] : [])]
}

function operationOf(endpoint: Endpoint, schemas: Schemas) {
  const { method, path, summary, scopes, body, bodyOptional, example } = endpoint
  return {
    operationId: `${method}${path.replace(/(?<![:/])[:/]+(\w)/g, (_, first: string) => first.toUpperCase())}`,
    tags: [groupOf(path)],
    summary,
    description: `Scope: ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`,
    parameters: parametersOf(endpoint, schemas),
    ...(body && {
      requestBody: {
        required: !bodyOptional,
        content: { 'application/json': { schema: schemas.of(body), example: example?.body } },
      },
    }),
    responses: answersOf(endpoint, schemas),
  }
}

function openApi() {
  const schemas = new Schemas()
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][endpoint.method] = operationOf(endpoint, schemas)
  }
  // The two answers that are not JSON, or not always.
  type Answered = { responses: { 200: { content?: Json } } }
  const exported = paths['/proposals/export']!.get as Answered
  exported.responses[200].content!['text/csv'] = { schema: { type: 'string' } }
  const file = paths['/handovers/{id}/file']!.get as Answered
  file.responses[200].content = Object.fromEntries(
    Object.values(CONTENT_TYPES).map((type) => [
      type.split(';')[0]!,
      { schema: { type: 'string', format: 'binary' } },
    ]),
  )
  return {
    openapi: '3.1.0',
    info: {
      title: 'Restock',
      version: '1.0.0',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/v1' }],
    security: [{ key: [] }],
    tags: [...new Set(endpoints.map(({ path }) => groupOf(path)))].map((name) => ({
      name,
      description: GROUPS[name],
    })),
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      headers: HEADERS,
      schemas: schemas.named,
    },
  }
}

let text: string | undefined

/** The document as JSON text. */
export const openApiText = () => (text ??= JSON.stringify(openApi()))

// GET /docs: the reference, to be browsed. Everything comes from this service: no CDN, nothing inline.

const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']

/** The browsable reference, to be mounted at /docs. */
export function docsRouter(): Router {
  const root = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  const router = express.Router()
  router.use(express.static(path.resolve(cds.root, 'app/docs')))
  for (const name of ASSETS) router.get(`/${name}`, (_req, res) => res.sendFile(name, { root }))
  return router
}
