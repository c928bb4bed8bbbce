// The OpenAPI 3.1 document, made from the endpoints and the schemas that validate their calls.
import { createRequire } from 'node:module'
import path from 'node:path'
import cds from '@sap/cds'
import express, { type Router } from 'express'
import { z } from 'zod'
import { type ErrorCode, STATUS } from '../../base/errors.ts'
import { CONTENT_TYPES } from '../../domain/proposals/index.ts'
import { endpoints } from './endpoints.ts'
import type { Endpoint } from './http/endpoint.ts'
import { isStoredStatus } from './http/idempotency.ts'

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

// The answers of the OpenAPI document: their headers, and every refusal by its status.

const refusal = {
  code: z.enum(Object.keys(STATUS) as [ErrorCode, ...ErrorCode[]]),
  target: z.string().optional().describe('The invalid parameter or field.'),
  details: z
    .array(z.looseObject({ code: z.string(), message: z.string(), target: z.string().nullable() }))
    .optional(),
  request_id: z.string(),
  current_status: z.string().optional().describe('With proposal_already_decided.'),
  sync_id: z.string().optional().describe('With sync_in_progress.'),
}

const ErrorBody = z
  .object({ error: z.looseObject({ ...refusal, message: z.string() }) })
  .meta({ id: 'Error' })

const Problem = z
  .looseObject({
    ...{ type: z.string(), title: z.string(), status: z.int(), detail: z.string() },
    ...refusal,
  })
  .meta({ id: 'Problem', description: 'The error as RFC 9457 problem details.' })

const COMMON: ErrorCode[] = [
  'invalid_parameter',
  'invalid_api_key',
  'expired_api_key',
  'insufficient_scope',
  'rate_limited',
  'internal_error',
  'database_unavailable',
]
/** Of calls that change something. */
const OF_CHANGES: ErrorCode[] = ['disk_full']
const OF_DECISIONS: ErrorCode[] = ['key_not_confirmed']
const OF_BODY: ErrorCode[] = ['invalid_request', 'payload_too_large', 'unsupported_media_type']
const OF_IDEMPOTENCY: ErrorCode[] = ['request_in_progress', 'idempotency_key_reused']

const integer = { schema: { type: 'integer' } }
const string = { schema: { type: 'string' } }

const HEADERS: Record<string, Json> = {
  'X-Request-Id': { description: 'Identifies the call in the log of the service.', ...string },
  'X-RateLimit-Limit': { description: 'Calls that the key may make in a minute.', ...integer },
  'X-RateLimit-Remaining': { description: 'Calls left in the window.', ...integer },
  'X-RateLimit-Reset': {
    description: 'Unix epoch seconds at which the window ends.',
    ...integer,
  },
  'Retry-After': { description: 'Whole seconds to wait.', ...integer },
  'WWW-Authenticate': { description: 'Bearer.', ...string },
  Location: { description: 'The path of the created resource.', ...string },
  'Idempotent-Replayed': {
    description: 'Present where the answer is the stored one of an earlier call.',
    schema: { type: 'string', enum: ['true'] },
  },
}

const ALWAYS = ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']
const BY_STATUS: Record<string, string[]> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

const headersOf = (status: string, further: string[] = []) =>
  Object.fromEntries(
    [...ALWAYS, ...(BY_STATUS[status] ?? []), ...further].map((name) => [
      name,
      { $ref: `#/components/headers/${name}` },
    ]),
  )

const REPLAYED = ['Idempotent-Replayed']

const isRepeated = ({ method, repeatable }: Endpoint) => method === 'post' && !repeatable

/** Every answer of an endpoint by its status. */
function answersOf(endpoint: Endpoint, schemas: Schemas) {
  const further = [
    ...(endpoint.names ? ['Location'] : []),
    ...(isRepeated(endpoint) ? REPLAYED : []),
  ]
  const successes = Object.entries(endpoint.answers).map(([status, schema]): [string, Json] => [
    status,
    {
      description: schema ? 'Done.' : 'Done; no content.',
      headers: headersOf(status, further),
      ...(schema && { content: { 'application/json': { schema: schemas.of(schema) } } }),
    },
  ])
  return Object.fromEntries([...successes, ...refusalsOf(endpoint, schemas)])
}

function refusalsOf(endpoint: Endpoint, schemas: Schemas) {
  const { method, scopes, body, of, errors = [] } = endpoint
  const codes = [
    ...COMMON,
    ...(scopes.includes('proposals:decide') ? OF_DECISIONS : []),
    ...(of ? [of.error] : []),
    ...errors,
    ...(method === 'get' ? [] : OF_CHANGES),
    ...(method === 'post' || body ? OF_BODY : []),
    ...(isRepeated(endpoint) ? OF_IDEMPOTENCY : []),
  ]
  return Object.entries(Object.groupBy(codes, (code) => String(STATUS[code]))).map(
    ([status, codes]): [string, Json] => [
      status,
      {
        description: codes!.map((code) => `\`${code}\``).join(', '),
        headers: headersOf(status, [
          ...(codes!.includes('request_in_progress') ? ['Retry-After'] : []),
          ...(isRepeated(endpoint) && isStoredStatus(Number(status)) ? REPLAYED : []),
        ]),
        content: {
          'application/json': { schema: schemas.of(ErrorBody) },
          'application/problem+json': { schema: schemas.of(Problem) },
        },
      },
    ],
  )
}

type Json = Record<string, unknown>

/** Schemas of the document; those with a name are collected for its components. */
class Schemas {
  readonly named: Record<string, Json> = {}
  /** Every call has the same refusals. */
  readonly #known = { input: new Map<z.ZodType, Json>(), output: new Map<z.ZodType, Json>() }

  of(schema: z.ZodType, io: 'input' | 'output' = 'input'): Json {
    const known = this.#known[io].get(schema)
    if (known) return known
    const { $defs, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
    for (const [name, definition] of Object.entries($defs ?? {})) {
      this.named[name] = tidied(definition) as Json
    }
    const made = tidied(json) as Json
    this.#known[io].set(schema, made)
    return made
  }
}

const LARGEST = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]
const DATES = ['date', 'date-time']

/** References as the document has them, without what its readers do not need: a date's format says enough. */
function tidied(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(tidied)
  if (typeof json !== 'object' || json === null) return json
  const { format } = json as Json
  const members = Object.entries(json as Json).flatMap(([name, value]): [string, unknown][] => {
    if (name === '$schema') return []
    if (name === 'pattern' && DATES.includes(String(format))) return []
    if (['minimum', 'maximum'].includes(name) && LARGEST.includes(Number(value))) return []
    if (name === '$ref') return [[name, String(value).replace('#/$defs/', '#/components/schemas/')]]
    return [[name, tidied(value)]]
  })
  return Object.fromEntries(members)
}
