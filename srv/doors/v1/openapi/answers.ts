// The answers of the OpenAPI document: their headers, and every refusal by its status.
import { z } from 'zod'
import { type ErrorCode, STATUS } from '../../../base/errors.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { isStoredStatus } from '../http/idempotency.ts'

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

export const HEADERS: Record<string, Json> = {
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
export function answersOf(endpoint: Endpoint, schemas: Schemas) {
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
  const { method, scopes, body, errors = [] } = endpoint
  const codes = [
    ...COMMON,
    ...(scopes.includes('proposals:decide') ? OF_DECISIONS : []),
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

export type Json = Record<string, unknown>

/** Schemas of the document; those with a name are collected for its components. */
export class Schemas {
  readonly named: Record<string, Json> = {}

  of(schema: z.ZodType, io: 'input' | 'output' = 'input'): Json {
    const { $defs, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
    for (const [name, definition] of Object.entries($defs ?? {})) {
      this.named[name] = tidied(definition) as Json
    }
    return tidied(json) as Json
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
