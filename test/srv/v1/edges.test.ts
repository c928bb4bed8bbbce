// What JSON and an address can say and a database cannot hold: years without a calendar, halves of characters.
import cds from '@sap/cds'
import { writeAuditLog } from '../../../srv/base/database/audit.ts'
import { AuditLog } from '../../../srv/base/database/entities.ts'
import { call, errorOf, get, post } from './api.ts'
import { pending, readDemand } from './demand.ts'

const { SELECT } = cds.ql

beforeAll(() => readDemand('edges'))

it.each([
  ['/proposals?order_by_until=0000-01-01', 'order_by_until'],
  ['/proposals/export?order_by_until=0000-12-31', 'order_by_until'],
  ['/planned-events?not_before=0000-01-01', 'not_before'],
  ['/forecast-overrides?not_before=0000-01-01', 'not_before'],
  ['/reports/value?from=0000-01-01&to=0001-01-01', 'from'],
  ['/reports/value?from=9999-12-01&to=9999-12-31', 'to'],
  ['/reports/months?from=0000-01&to=0000-12', 'from'],
  ['/reports/months?to=9999-12', 'to'],
  ['/reports/months?from=2026-03&to=2026-01', 'to'],
  ['/sources/src_1/sums?list=demand&location=L1&month=0000-01', 'month'],
  ['/sources/src_1/sums?list=demand&location=L1&month=9999-12', 'month'],
  ['/sources/src_1/sums?list=demand&before=0000-01-01', 'before'],
  ['/sources/src_1/sums?list=stock&location=%00', 'location'],
] as const)(
  'a day or month beyond all calendars is refused by its name: %s',
  async (path, target) => {
    const answer = await get(path)
    expect(errorOf(answer)).toEqual({ status: 400, code: 'invalid_parameter', target })
  },
)

it.each([
  '/proposals?order_by_until=0001-01-01',
  '/proposals?order_by_until=9999-12-31',
  '/planned-events?not_before=9999-12-31',
  '/reports/value?from=9999-12-01&to=9999-12-30',
  '/reports/months?from=2199-01&to=2199-12',
  '/reports/months?from=1970-01&to=1970-12',
  '/sources/src_1/sums?list=demand&location=L1&month=2199-12',
] as const)('the first and the last ones are taken: %s', async (path) => {
  expect((await get(path)).status).toBe(200)
})

it.each(['x', 'src_0', 'src_999999', ''])(
  'a filter by a source that is not there: %s',
  async (id) => {
    const refusal = { status: 404, code: 'source_not_found', target: undefined }
    expect(errorOf(await get(`/handovers?source_id=${id}`))).toEqual(refusal)
    expect(errorOf(await get(`/reports/months?source=${id}`))).toEqual(refusal)
    expect(errorOf(await post('/handovers', { source_id: id }))).toEqual(refusal)
  },
)

it('a day or time that is missing is told as such', async () => {
  const id = (await pending())[0]!
  const messages = async (answer: ReturnType<typeof get>) => {
    const { message, details } = (await answer).error!
    return details?.map((each) => each.message) ?? [message]
  }
  const snooze = (body: object) => messages(post(`/proposals/${id}/snooze`, body))
  expect(await snooze({})).toEqual(['until: is required'])
  expect(await snooze({ until: null })).toEqual(['until: must be a value, not null'])
  expect((await snooze({ until: 5 }))[0]).toMatch('must be a UTC timestamp such as')
  expect(await messages(get('/reports/value'))).toEqual(['from: is required', 'to: is required'])
  expect((await messages(get('/reports/value?from=x&to=x')))[0]).toMatch('must be a day such as')
})

const HALF = '\ud83d'

it.each([
  ['POST', '/keys', { name: HALF, scopes: ['proposals:read'] }, 'name'],
  ['PUT', '/policies', { level: 'sku', sku: HALF, lead_time_days: 3 }, 'sku'],
  ['PUT', '/closures', { closures: [{ supplier: 'S1', from: '0000-01-01' }] }, 'closures.from'],
  ['PUT', '/closures', { closures: [{ supplier: HALF, from: '2027-01-01' }] }, 'closures.supplier'],
  ['PUT', '/closures', { closures: [{ supplier: 'S1', reason: '\0' }] }, 'closures.reason'],
  [
    'POST',
    '/planned-events',
    { kind: 'promotion', from: '2027-01-01', name: `Fair ${HALF}` },
    'name',
  ],
  [
    'POST',
    '/forecast-overrides',
    { sku: 'B2', to: '2027-01-01', percent: 1, reason: HALF },
    'reason',
  ],
] as const)(
  'a text or day that cannot be stored is: %s %s %j',
  async (method, path, body, target) => {
    const answer = await call(method, path, { body })
    expect(errorOf(answer)).toEqual({ status: 400, code: 'invalid_parameter', target })
  },
)

it('half a character fails its own decision, and no other', async () => {
  const [first, second] = await pending()
  const { json } = await post('/proposals/decisions', {
    decisions: [
      { id: first, action: 'reject', comment: HALF },
      { id: second, action: 'reject', comment: '😀' },
    ],
  })
  expect(json.results.map(({ status }) => status)).toEqual(['error', 'ok'])
  expect(json.results[0]).toMatchObject({
    error: { code: 'invalid_parameter', target: 'comment' },
  })
  const body = { level: 'sku', sku: '😀', lead_time_days: 3 }
  expect((await call('PUT', '/policies', { body })).status).toBe(200)
})

it('a long entry of the change log is cut between characters', async () => {
  const object = 'edges'
  await cds.tx(() => writeAuditLog('test', object, `${'x'.repeat(999)}😀`))
  const entry = await SELECT.one.from(AuditLog).where({ object })
  expect(entry!.detail).toBe(`${'x'.repeat(999)}\ufffd`)
})
