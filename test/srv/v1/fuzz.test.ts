import fc from 'fast-check'
import { endpoints } from '../../../srv/v1/endpoints.ts'
import { call, get } from './api.ts'

const CODES = /^[a-z_]+$/

/** What must not leave the service. */
const INTERNALS = /\bat .*\.(ts|js):|node_modules|SELECT |INSERT |sqlite|postgres|restock\.[A-Z]/i

const ids = fc.oneof(
  fc.constantFrom('prop_1', 'src_1', 'sync_1', 'prop_0', 'x', '%00', '%F0%9F%98%80', '..;'),
  fc.string({ unit: 'grapheme' }).map(encodeURIComponent),
)
const names = fc.constantFrom(
  ...['sku', 'location', 'horizon', 'limit', 'cursor', 'status', 'sort', 'min_value', 'reason'],
  ...['updated_since', 'include_drivers', 'format', 'supplier', '__proto__', 'toString', ''],
)
const values = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom('%00', '%ff', '%ZZ', '-1', '1e999', 'null', 'true', '2026-11-20T00:00:00Z'),
  fc.constantFrom('9'.repeat(30), '0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', "'; --"),
)
const query = fc
  .array(fc.tuple(names, values), { maxLength: 4 })
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'))

const fields = fc.constantFrom(
  ...['items', 'horizon', 'quantity', 'comment', 'until', 'reason', 'name', 'scopes', 'acts_as'],
  ...['expected_version', 'type', 'account', 'role', 'options', 'mode', 'expires_at', '__proto__'],
)
const json = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(1e308, -0, 2 ** 53, '\u0000', '\ud800', [], {}, 'full', 'csv', 'approver'),
)
const body = fc.oneof(
  { weight: 4, arbitrary: fc.dictionary(fields, json).map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()) },
)
const header = fc.record(
  {
    'Content-Type': fc.constantFrom('application/json', 'text/plain', 'application/json;x', '/'),
    Accept: fc.constantFrom('application/problem+json', '*/*', ';;;', 'text/html;q=x'),
    'Idempotency-Key': fc.constantFrom('a', 'b', ' ', 'x'.repeat(300)),
    'X-Request-Id': fc.constantFrom('a', 'a b', 'x'.repeat(200)),
    'Content-Encoding': fc.constantFrom('gzip', 'br', 'identity', 'nonsense'),
  },
  { requiredKeys: [] },
)

/** Any method on any path, the known ones more often. */
const target = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.constantFrom(...endpoints), ids)
      .map(([{ method, path }, id]) => [method, path.replace(':id', id)]),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(
      fc.constantFrom('get', 'post', 'put', 'delete', 'patch', 'options'),
      ids.map((id) => `/${id}`),
    ),
  },
)

describe('malformed calls', () => {
  it('never break the service, and are told nothing of its inside', async () => {
    await fc.assert(
      fc.asyncProperty(target, query, body, header, async ([method, path], query, raw, headers) => {
        const takesBody = ['post', 'put', 'patch'].includes(method!)
        const answer = await call(method!.toUpperCase(), `${path}${query && '?'}${query}`, {
          ...(takesBody && { raw }),
          headers,
        })
        expect(answer.status).toBeLessThan(500)
        expect(answer.headers.get('x-request-id')).toBeTruthy()
        if (answer.status < 400) return
        expect(answer.json.error?.code ?? answer.json.code).toMatch(CODES)
        expect(answer.text).not.toMatch(INTERNALS)
      }),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 400) },
    )
    expect((await get('/keys')).status).toBe(200)
  })
})
