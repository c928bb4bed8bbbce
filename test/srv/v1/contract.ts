// Holds answers against the OpenAPI document that the service itself gives out.
import { z } from 'zod'
import { openApiText } from '../../../srv/doors/v1/openapi.ts'

interface Media {
  schema: object
  example?: unknown
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: Record<string, unknown>
  example?: unknown
}

interface DocumentedAnswer {
  description: string
  headers: Record<string, { $ref: string }>
  content?: Record<string, Media>
}

export interface Operation {
  operationId: string
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Record<string, Media> }
  responses: Record<string, DocumentedAnswer>
}

interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object> }
}

export const document: Document = JSON.parse(openApiText()) as Document

/** Every operation with its method and path. */
export const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    operation,
  })),
)

const paths = Object.entries(document.paths).map(([path, methods]) => ({
  methods,
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
}))

/** The operation that a call is one of; fixed paths stand before those with parameters. */
const operationOf = (method: string, path: string) =>
  paths.find(({ pattern }) => pattern.test(path))?.methods[method.toLowerCase()]

const $defs = Object.fromEntries(
  Object.entries(document.components.schemas).map(([name, schema]) => [name, local(schema)]),
)
const checks = new WeakMap<object, z.ZodType>()

function local<T extends object>(schema: T): T {
  return JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/')) as T
}

/** The check that a schema of the document stands for. */
export function checkOf(schema: object): z.ZodType {
  const known = checks.get(schema)
  if (known) return known
  const check = z.fromJSONSchema({ ...local(schema), $defs } as never)
  checks.set(schema, check)
  return check
}

interface Answer {
  status: number
  headers: Headers
  text: string
  json?: unknown
}

/** Headers that not every such answer has; of 409 only that of a call which still runs says when to come again. */
const isOptional = (name: string, status: number) =>
  name === 'Idempotent-Replayed' || (name === 'Retry-After' && status === 409)

/** An answer of a documented call must be one that the document names, in its shape. */
export function assertFits(method: string, path: string, answer: Answer) {
  const { status, headers, text, json } = answer
  const operation = operationOf(method === 'HEAD' ? 'GET' : method, path.split('?')[0]!)
  if (!operation) return
  const documented = operation.responses[status]
  if (!documented) throw new Error(`${method} ${path} gave ${status}, which is not documented.`)
  const names = Object.keys(documented.headers).filter((name) => !isOptional(name, status))
  const missing = names.filter((name) => !headers.has(name))
  if (missing.length) throw new Error(`${method} ${path} ${status} lacks ${missing.join(', ')}.`)
  const type = headers.get('content-type')?.split(';')[0] ?? ''
  if (!documented.content || method === 'HEAD') return expect(text).toBe('')
  const media = documented.content[type]
  if (!media) throw new Error(`${method} ${path} ${status} is ${type}, which is not documented.`)
  if (type === 'text/csv' || (media.schema as { format?: string }).format === 'binary') return
  const { success, error } = checkOf(media.schema).safeParse(json)
  if (!success) throw new Error(`${method} ${path} ${status}: ${z.prettifyError(error)}\n${text}`)
}
