// Calls built from the OpenAPI document, with anything in them wrong: method, path, query, headers, body.
import fc from '../../support/properties.ts'
import { document, operations } from './contract.ts'

export interface Malformed {
  method: string
  path: string
  raw?: string
  headers: Record<string, string>
}

type Schema = Record<string, unknown>

const text = fc.string({ unit: 'binary' }).map((value) => value.toWellFormed())
const nasty = fc.constantFrom(
  ...[
    '',
    ' ',
    '\u0000',
    '\ud83d\ude00',
    '\u202e',
    "'; DROP TABLE Proposals; --",
    '=1+1',
    '../../x',
  ],
  ...['-1', '0', '1e999', '9'.repeat(30), 'NaN', 'null', 'true', '[]', '{"a":1}', '__proto__'],
  ...['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '2026-02-30', 'x'.repeat(5000)],
)
const json = fc.oneof(
  nasty,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(1e308, -0, 2 ** 53, 2 ** 31, 0.5, '\ud800', [], {}, [[]], null, true),
)

const IDS: Record<string, string> = {
  ...{ proposals: 'prop_1', sources: 'src_1', syncs: 'sync_1', webhooks: 'wh_1' },
  keys: '0123456789abcdef',
}

/** A segment of a path: mostly one that may exist, sometimes anything. */
const segmentOf = (group: string) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(IDS[group]!) },
    {
      weight: 1,
      arbitrary: fc.oneof(nasty, text).map((value) => encodeURIComponent(value) || '-'),
    },
    { weight: 1, arbitrary: fc.constantFrom('%ZZ', '%ff', '%00', '..;', 'prop_0', 'prop_1e9') },
  )

const pathOf = (template: string) =>
  fc
    .tuple(segmentOf(template.split('/')[1]!), segmentOf('keys'))
    .map(([id, other]) => template.replace('{id}', () => id).replace('{delivery}', () => other))

/** Known and unknown names, each with any value, some of them twice. */
function queryOf(parameters: { name: string; in: string; example?: unknown }[]) {
  const names = parameters.flatMap(({ name, in: place }) => (place === 'query' ? [name] : []))
  const name = fc.oneof(
    ...(names.length ? [{ weight: 5, arbitrary: fc.constantFrom(...names) }] : []),
    { weight: 1, arbitrary: fc.oneof(nasty, fc.constantFrom('limit', 'cursor', 'sku')) },
  )
  const good = parameters.flatMap(({ name, example }) =>
    example === undefined ? [] : [`${name}=${encodeURIComponent(String(example))}`],
  )
  const value = fc.oneof(fc.oneof(nasty, text).map(encodeURIComponent), fc.constant('%ZZ'))
  const bad = fc.array(
    fc.tuple(name, value).map(([key, given]) => `${encodeURIComponent(key)}=${given}`),
    { maxLength: 3 },
  )
  return fc.tuple(fc.subarray(good), bad).map(([some, others]) => [...some, ...others].join('&'))
}

const resolve = (schema: Schema): Schema =>
  schema.$ref
    ? (document.components.schemas[String(schema.$ref).split('/').at(-1)!] as Schema)
    : schema

/** Values around a schema: what it asks for at times, and anything else. */
function around(given: Schema, depth = 0): fc.Arbitrary<unknown> {
  const schema = resolve(given)
  const options = [...((schema.anyOf ?? []) as Schema[])]
  if (options.length) return fc.oneof(...options.map((one) => around(one, depth)), json)
  if (schema.enum) return fc.oneof(fc.constantFrom(...(schema.enum as string[])), json)
  if (schema.type === 'integer') return fc.oneof(fc.integer(), json)
  if (schema.type === 'array' && depth < 3) {
    const item = around((schema.items ?? {}) as Schema, depth + 1)
    return fc.oneof({ weight: 3, arbitrary: fc.array(item, { maxLength: 4 }) }, json)
  }
  if (schema.type !== 'object' || depth > 2) return json
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
  const fields = properties.map(([name, one]) => [name, around(one, depth + 1)] as const)
  const object = fc.record(Object.fromEntries(fields), { requiredKeys: [] })
  const unknown = fc.dictionary(fc.oneof(nasty, text), json, { maxKeys: 2 })
  return fc.oneof(
    { weight: 6, arbitrary: object },
    { weight: 2, arbitrary: fc.tuple(object, unknown).map(([a, b]) => ({ ...a, ...b })) },
    { weight: 1, arbitrary: json },
  )
}

const rawOf = (schema: Schema | undefined, example: unknown) => {
  const value = schema ? around(schema) : json
  // Nothing is to be sent to anybody.
  const { url: _url, ...harmless } = (example ?? {}) as Record<string, unknown>
  const mixed = value.map((given) =>
    typeof given === 'object' && !Array.isArray(given) ? { ...harmless, ...given } : given,
  )
  return fc.oneof(
    { weight: 4, arbitrary: value.map((given) => JSON.stringify(given)) },
    { weight: 4, arbitrary: mixed.map((given) => JSON.stringify(given)) },
    { weight: 1, arbitrary: text },
    { weight: 1, arbitrary: fc.constantFrom('{', '[[[['.repeat(5000), '{"a":1}{', '\ufeff{}', '') },
  )
}

const headers = fc.record(
  {
    'Content-Type': fc.constantFrom('application/json', 'text/plain', 'application/json;x', '/'),
    'Content-Encoding': fc.constantFrom('gzip', 'br', 'identity', 'nonsense'),
    Accept: fc.constantFrom('application/problem+json', '*/*', ';;;', 'text/html;q=x'),
    'Idempotency-Key': fc.constantFrom('a', 'b', ' ', 'x'.repeat(300)),
    'X-Request-Id': fc.constantFrom('a', 'a b', 'x'.repeat(200)),
    Range: fc.constant('bytes=0-1'),
    'If-Match': fc.constant('"x"'),
    'X-HTTP-Method-Override': fc.constant('DELETE'),
    Forwarded: fc.constant('for="_x";proto=gopher'),
  },
  { requiredKeys: [] },
)
const jsonHeaders = headers.map((given) => ({ 'Content-Type': 'application/json', ...given }))

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const takesBody = (method: string) => ['POST', 'PUT', 'PATCH'].includes(method)

/** A malformed call, of any operation of the document or beside all of them. */
export const malformed: fc.Arbitrary<Malformed> = fc
  .constantFrom(...operations)
  .chain(({ method, path, operation }) => {
    const media = operation.requestBody?.content['application/json']
    return fc.record({
      method: fc.oneof(
        { weight: 9, arbitrary: fc.constant(method) },
        { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
      ),
      path: fc.oneof(
        { weight: 9, arbitrary: pathOf(path) },
        { weight: 1, arbitrary: pathOf(`/${path.split('/')[1]}/{id}/{delivery}`) },
      ),
      query: queryOf(operation.parameters),
      raw: rawOf(media?.schema as Schema | undefined, media?.example),
      headers: fc.oneof({ weight: 3, arbitrary: jsonHeaders }, { weight: 1, arbitrary: headers }),
    })
  })
  .map(({ method, path, query, raw, headers }) => ({
    ...{ method, headers, path: query ? `${path}?${query}` : path },
    ...(takesBody(method) && { raw }),
  }))
