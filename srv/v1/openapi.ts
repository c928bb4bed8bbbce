// The OpenAPI 3.1 document, made from the endpoints and the schemas that validate their calls.
import { z } from 'zod'
import { type ErrorCode, STATUS } from '../errors.ts'
import { endpoints } from './endpoints.ts'
import type { Endpoint } from './http/endpoint.ts'

type Json = Record<string, unknown>

const ErrorBody = z
  .object({
    error: z.looseObject({
      code: z.enum(Object.keys(STATUS) as [ErrorCode, ...ErrorCode[]]),
      message: z.string(),
      target: z.string().optional(),
      details: z
        .array(z.object({ code: z.string(), message: z.string(), target: z.string().nullable() }))
        .optional(),
      request_id: z.string(),
    }),
  })
  .meta({ id: 'Error' })

const COMMON: ErrorCode[] = [
  'invalid_parameter',
  'invalid_api_key',
  'expired_api_key',
  'insufficient_scope',
  'rate_limited',
  'internal_error',
]
const OF_BODY: ErrorCode[] = ['invalid_request', 'payload_too_large', 'unsupported_media_type']
const OF_IDEMPOTENCY: ErrorCode[] = ['request_in_progress', 'idempotency_key_reused']

const integer = { schema: { type: 'integer' } }

const HEADERS: Record<string, Json> = {
  'X-Request-Id': { schema: { type: 'string' } },
  'X-RateLimit-Limit': integer,
  'X-RateLimit-Remaining': integer,
  'X-RateLimit-Reset': {
    description: 'Unix epoch seconds at which the window is whole again.',
    ...integer,
  },
  'Retry-After': { description: 'Seconds.', ...integer },
}

const headersOf = (status: string) =>
  Object.fromEntries(
    Object.keys(HEADERS)
      .filter((name) => name !== 'Retry-After' || status === '429' || status === '503')
      .map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  )

/** Schemas of the document; those with a name are collected for its components. */
class Schemas {
  readonly named: Json = {}

  of(schema: z.ZodType, io: 'input' | 'output' = 'input'): Json {
    const { $defs, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
    for (const [name, definition] of Object.entries($defs ?? {})) {
      this.named[name] = relink(definition as Json)
    }
    const name = schema.meta()?.id
    if (!name) return relink(json)
    this.named[name] = relink(json)
    return { $ref: `#/components/schemas/${name}` }
  }
}

/** References as the document has them; its components are named by where they stand. */
const relink = (json: Json): Json =>
  JSON.parse(
    JSON.stringify({ ...json, id: undefined, $schema: undefined }).replaceAll(
      '"#/$defs/',
      '"#/components/schemas/',
    ),
  )

function parametersOf({ path, query, method, repeatable }: Endpoint, schemas: Schemas) {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const shape = (query as z.ZodObject | undefined)?.shape ?? {}
  const inQuery = Object.entries(shape).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !(schema as z.ZodType).safeParse(undefined).success,
    schema: schemas.of(schema as z.ZodType, 'output'),
  }))
  const idempotency = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  }
  return [...inPath, ...inQuery, ...(method === 'post' && !repeatable ? [idempotency] : [])]
}

function errorsOf({ method, body, errors = [], repeatable }: Endpoint) {
  const isPost = method === 'post'
  const codes = [
    ...COMMON,
    ...errors,
    ...(isPost || body ? OF_BODY : []),
    ...(isPost && !repeatable ? OF_IDEMPOTENCY : []),
  ]
  return Object.entries(Object.groupBy(codes, (code) => String(STATUS[code]))).map(
    ([status, codes]) => [
      status,
      {
        description: codes!.join(', '),
        headers: headersOf(status),
        content: {
          'application/json': { schema: { $ref: '#/components/schemas/Error' } },
          'application/problem+json': { schema: { type: 'object' } },
        },
      },
    ],
  )
}

function operationOf(endpoint: Endpoint, schemas: Schemas) {
  const { method, path, summary, scopes, body, bodyOptional, answers } = endpoint
  const successes = Object.entries(answers).map(([status, schema]) => [
    status,
    {
      description: schema ? 'Done.' : 'Done; no content.',
      headers: headersOf(status),
      ...(schema && { content: { 'application/json': { schema: schemas.of(schema) } } }),
    },
  ])
  return {
    operationId: `${method}${path.replace(/[:/]+(\w)/g, (_, first: string) => first.toUpperCase())}`,
    tags: [path.split('/')[1]],
    summary,
    description: `Scope: ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`,
    parameters: parametersOf(endpoint, schemas),
    ...(body && {
      requestBody: {
        required: !bodyOptional,
        content: { 'application/json': { schema: schemas.of(body) } },
      },
    }),
    responses: Object.fromEntries([...successes, ...errorsOf(endpoint)]),
  }
}

function openApi() {
  const schemas = new Schemas()
  schemas.of(ErrorBody)
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][endpoint.method] = operationOf(endpoint, schemas)
  }
  // The one answer that is not JSON.
  const exported = paths['/proposals/export']!.get as { responses: { 200: { content: Json } } }
  exported.responses[200].content['text/csv'] = { schema: { type: 'string' } }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Restock',
      version: '1.0.0',
      description: 'Demand forecasts and order proposals beside your ERP.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/v1' }],
    security: [{ key: [] }],
    tags: [...new Set(endpoints.map(({ path }) => path.split('/')[1]))].map((name) => ({ name })),
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
