// The contract that callers rely on, out of an OpenAPI document, and what a newer one breaks of it.
import { Comparison, type Schema } from './schemas.ts'

interface Parameter {
  name: string
  in: string
  required: boolean
  schema: Schema
}

type Content = Record<string, { schema: Schema }>

interface Operation {
  operationId: string
  description: string
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, { description: string; content?: Content }>
}

export interface Contract {
  openapi: string
  info: { title: string; version: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const TEXTS = ['description', 'summary', 'example', 'examples', 'headers', 'tags', 'default']

/** The document without what nobody's program depends on. */
export function contractOf({ openapi, info, paths, components }: Contract): Contract {
  const { title, version } = info
  return {
    ...{ openapi, info: { title, version } },
    paths: mapped(paths, (methods) =>
      mapped(methods, ({ operationId, description, parameters, requestBody, responses }) => ({
        ...{ operationId, description },
        parameters: parameters.map((parameter) => bare(parameter)),
        ...(requestBody && { requestBody: bare(requestBody) }),
        responses: mapped(responses, (response, status) =>
          status >= '400'
            ? { description: response.description }
            : { ...bare(response), description: '' },
        ),
      })),
    ),
    components: { schemas: bare(components.schemas) },
  }
}

const mapped = <T, U>(record: Record<string, T>, change: (value: T, name: string) => U) =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, change(value, name)]),
  ) as Record<string, U>

/** A field may be called `description` too: what is a text is one. */
function bare<T>(json: T): T {
  if (Array.isArray(json)) return json.map(bare) as T
  if (typeof json !== 'object' || json === null) return json
  const kept = Object.entries(json).filter(([name, value]) => {
    const isField = typeof value === 'object' && value !== null && 'type' in value
    return !TEXTS.includes(name) || isField
  })
  return Object.fromEntries(kept.map(([name, value]) => [name, bare(value)])) as T
}

/** What callers of the published contract would stumble over; nothing where they would not. */
export function breaksOf(published: Contract, present: Contract): string[] {
  const { schemas } = published.components
  const comparison = new Comparison(schemas, present.components.schemas)
  const operations = Object.entries(published.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, before]) => {
      const name = `${method.toUpperCase()} ${path}`
      const after = present.paths[path]?.[method]
      return after ? ofOperation(before, after, comparison, name) : [`${name} is gone`]
    }),
  )
  const error = comparison.breaks(
    { $ref: '#/components/schemas/Error' },
    { $ref: '#/components/schemas/Error' },
    'got',
    'Error',
  )
  return [...operations, ...error]
}

function ofOperation(before: Operation, after: Operation, comparison: Comparison, name: string) {
  return [
    ...(before.operationId === after.operationId ? [] : [`${name} has another operationId`]),
    ...scopesOf(before)
      .filter((scope) => !scopesOf(after).includes(scope))
      .map((scope) => `${name} is not opened by ${scope} any more`),
    ...ofParameters(before, after, comparison, name),
    ...ofBody(before, after, comparison, name),
    ...ofAnswers(before, after, comparison, name),
  ]
}

const scopesOf = ({ description }: Operation): string[] => description.match(/\w+:\w+/g) ?? []

function ofParameters(before: Operation, after: Operation, comparison: Comparison, name: string) {
  const keyOf = (parameter: Parameter) => `${parameter.in} ${parameter.name}`
  const known = new Map(before.parameters.map((parameter) => [keyOf(parameter), parameter]))
  const present = new Map(after.parameters.map((parameter) => [keyOf(parameter), parameter]))
  return [
    ...[...known].flatMap(([key, old]) => {
      const at = `${name} ${old.name}`
      const parameter = present.get(key)
      return parameter
        ? comparison.breaks(old.schema, parameter.schema, 'sent', at)
        : [`${at} is gone`]
    }),
    ...[...present]
      .filter(([key, { required }]) => required && !known.get(key)?.required)
      .map(([, parameter]) => `${name} ${parameter.name} is required now`),
  ]
}

function ofBody(before: Operation, after: Operation, comparison: Comparison, name: string) {
  const [old, present] = [before.requestBody, after.requestBody]
  if (!old) return present?.required ? [`${name} needs a body now`] : []
  if (!present) return [`${name} takes no body any more`]
  const [one, other] = [old.content['application/json']!, present.content['application/json']!]
  return [
    ...(present.required && !old.required ? [`${name} needs a body now`] : []),
    ...comparison.breaks(one.schema, other.schema, 'sent', `${name} body`),
  ]
}

function ofAnswers(before: Operation, after: Operation, comparison: Comparison, name: string) {
  return Object.entries(before.responses)
    .filter(([status]) => status < '400')
    .flatMap(([status, { content = {} }]) => {
      const present = after.responses[status]
      if (!present) return [`${name} does not answer ${status} any more`]
      return Object.entries(content).flatMap(([type, { schema }]) => {
        const media = present.content?.[type]
        if (!media) return [`${name} ${status} is not ${type} any more`]
        return comparison.breaks(schema, media.schema, 'got', `${name} ${status}`)
      })
    })
}
