import { gzipSync } from 'node:zlib'
import cds from '@sap/cds'
import { serverUrl } from '../../support/server.ts'
import { aKey } from '../v1/api.ts'
import { basic } from '../tasks/inbox.ts'
import { headOf, sendRaw } from './raw.ts'

const JSON_TYPE = { 'Content-Type': 'application/json' }
const MULTIPART = { 'Content-Type': 'multipart/mixed; boundary=b' }

/** Every door that takes a body, and those that take none. */
const DOORS = [
  ['/v1', '/v1/forecasts/batch'],
  ['buyer', '/odata/v4/buyer/approveMany'],
  ['buyer, batch', '/odata/v4/buyer/$batch'],
  ['admin', '/odata/v4/admin/$batch'],
  ['My Inbox', '/odata/v2/TASKPROCESSING/$batch'],
  ['My Inbox, V4', '/odata/v4/TASKPROCESSING/$batch'],
  ['Task Center', '/task-provider/v2/tasks/urn/response'],
  ['consent', '/oauth/callback?state=x'],
  ['apps', '/apps/shell/home.html'],
  ['docs', '/docs'],
  ['health', '/health'],
] as const
const V2 = '/odata/v2/TASKPROCESSING'

const USER: Record<string, string> = { admin: 'admin' }
let key: string
beforeAll(async () => (key = await aKey()))

const signedIn = (door: string) => ({
  Authorization: door === '/v1' ? `Bearer ${key}` : basic(USER[door] ?? 'approver'),
})

async function post(path: string, headers: Record<string, string>, body: string | Buffer) {
  const answer = await fetch(serverUrl() + path, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : new Uint8Array(body),
    signal: AbortSignal.timeout(10_000),
  })
  return { status: answer.status, text: await answer.text() }
}

async function csrfToken() {
  const headers = { ...signedIn(''), 'X-CSRF-Token': 'Fetch' }
  const answer = await fetch(`${serverUrl()}${V2}/`, { headers })
  return { 'X-CSRF-Token': answer.headers.get('X-CSRF-Token')! }
}

const isHarmless = (text: string) => !/node_modules|\/srv\/| {4}at |SELECT /.test(text)

describe.each(DOORS)('%s', (door, path) => {
  it('answers a declared length over the limit before the body, and closes', async () => {
    const headers = { ...signedIn(door), ...JSON_TYPE, 'Content-Length': 1_048_577 }
    const { status, text, isClosed } = await sendRaw(headOf('POST', path, headers))
    expect(isHarmless(text)).toBe(true)
    expect({ status, isClosed }).toEqual({ status: 413, isClosed: true })
  })

  it('reads no body of unknown length without a sign-in, and closes', async () => {
    const head = headOf('POST', path, { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' })
    const { status, isClosed } = await sendRaw(`${head}5\r\n{"a":\r\n`)
    expect(isClosed).toBe(true)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
  })

  it('survives what inflates to 100 MB, with and without a sign-in', async () => {
    const bomb = gzipSync(Buffer.alloc(60_000_000))
    expect(bomb.length).toBeLessThan(65_536)
    const headers = { ...JSON_TYPE, 'Content-Encoding': 'gzip' }
    for (const who of [{}, signedIn(door)]) {
      const answers = Array.from({ length: 12 }, () => post(path, { ...headers, ...who }, bomb))
      for (const { status, text } of await Promise.all(answers)) {
        expect(status).toBeGreaterThanOrEqual(400)
        expect(status).toBeLessThan(500)
        expect(isHarmless(text)).toBe(true)
      }
    }
  })
})

it('takes up to 1 MB of callers with a key alone', async () => {
  const body = JSON.stringify({ items: [], padding: 'x'.repeat(100_000) })
  const path = '/v1/forecasts/batch'
  const { status } = await post(path, { ...signedIn('/v1'), ...JSON_TYPE }, body)
  expect(status).toBe(400)
  expect((await post(path, JSON_TYPE, body)).status).toBe(401)
})

it('counts bodies of unknown length', async () => {
  const headers = { ...signedIn(''), ...JSON_TYPE, 'Transfer-Encoding': 'chunked' }
  const head = headOf('POST', '/odata/v4/buyer/approveMany', headers)
  const chunk = `${(70_000).toString(16)}\r\n${'x'.repeat(70_000)}\r\n`
  expect(await sendRaw(head + chunk)).toMatchObject({ status: 413, isClosed: true })
})

it.each(['gzip', 'deflate', 'br', 'zstd', 'nonsense'])(
  'refuses what is not encoded as it says: %s',
  async (encoding) => {
    const headers = { ...signedIn(''), ...JSON_TYPE, 'Content-Encoding': encoding }
    const { status } = await post('/odata/v4/buyer/approveMany', headers, 'no such bytes')
    expect([400, 415]).toContain(status)
  },
)

it('takes a body that is encoded', async () => {
  const headers = { ...signedIn(''), ...JSON_TYPE, 'Content-Encoding': 'gzip' }
  const { status, text } = await post('/odata/v4/buyer/approveMany', headers, gzipSync('{"no":1}'))
  expect({ status, text }).toEqual({ status: 400, text: expect.stringContaining('no') })
})

it.each(['buyer', 'admin'])('%s is not served by the V2 adapter', async (service) => {
  const ways = [
    '/odata/v2',
    `${V2}/..`,
    `${V2}/%2e%2e`,
    `${V2}/.%2E`,
    `${V2}\\..`,
    `${V2}/../../v4`,
  ]
  for (const path of ways.map((way) => `${way}/${service}/$metadata`)) {
    const head = headOf('GET', path, { ...signedIn(service), Connection: 'close' })
    expect((await sendRaw(head)).status).toBe(404)
  }
})

const deep = (open: string, close: string, times: number) =>
  `${open.repeat(times)}1${close.repeat(times)}`

describe.each([
  ['buyer', '/odata/v4/buyer/approveMany'],
  ['My Inbox', `${V2}/Decision`],
  ['Task Center', '/task-provider/v2/tasks/urn/response'],
  ['/v1', '/v1/forecasts/batch'],
])('%s refuses', (door, path) => {
  it.each([
    ['null', 'null'],
    ['a list', '[]'],
    ['a text', '"x"'],
    ['a number', '1'],
    ['what is cut off', '{"proposals":'],
    ['deep lists', `{"proposals":${deep('[', ']', 20_000)}}`],
    ['deep objects', deep('{"a":', '}', 8_000)],
    ['texts that do not end', `{"${'\\"'.repeat(30_000)}`],
    ['no UTF-8', Buffer.from('{"proposals":"\xff"}', 'latin1')],
  ])('%s', async (_, body) => {
    const token = door === 'My Inbox' ? await csrfToken() : {}
    const headers = { ...signedIn(door), ...JSON_TYPE, ...token }
    const { status, text } = await post(path, headers, body)
    expect(isHarmless(text)).toBe(true)
    // Task Center says first that there is no such task.
    expect(door === 'Task Center' ? [400, 404] : [400]).toContain(status)
  })
})

const HTTP = 'Content-Type: application/http\r\n\r\n'
const WRITE = 'POST approveMany HTTP/1.1\r\nContent-Type: application/json'

it.each([
  ['cut off', `--b\r\n${HTTP}${WRITE}`],
  ['with a body shorter than it says', `--b\r\n${HTTP}${WRITE}\r\nContent-Length:5000\r\n\r\n{`],
  ['of impossible addresses', `--b\r\n${HTTP}GET http://[ HTTP/1.1\r\n\r\n\r\n--b--\r\n`],
  ['that is none', 'garbage'],
])('a batch %s is refused at once', async (_, body) => {
  for (const path of ['/odata/v4/buyer/$batch', `${V2}/$batch`]) {
    const headers = { ...signedIn(''), ...MULTIPART, ...(await csrfToken()) }
    const { status, text } = await post(path, headers, body)
    expect({ status, isHarmless: isHarmless(text) }).toEqual({ status: 400, isHarmless: true })
  }
})

it.each([
  [[null]],
  [['x']],
  [[{ id: '1', method: 'GET', url: '//' }]],
  [[{ id: '1', method: 'GET', url: 'Proposals', headers: 'x' }]],
  [[{ id: '__proto__', method: 'GET', url: 'Proposals' }]],
  [[{ id: '1', method: 'POST', url: 'approveMany', body: null }]],
  [{}],
  [Array.from({ length: 101 }, (_, id) => ({ id: `${id}`, method: 'GET', url: 'Proposals' }))],
])('a batch of odd requests is refused: %j', async (requests) => {
  const headers = { ...signedIn(''), ...JSON_TYPE }
  const body = JSON.stringify({ requests })
  const { status, text } = await post('/odata/v4/buyer/$batch', headers, body)
  expect({ status, isHarmless: isHarmless(text) }).toEqual({ status: 400, isHarmless: true })
})

it('a fault of ours tells nothing of the machine', async () => {
  const headers = signedIn('')
  const query = `$apply=${Array(5).fill('filter(ID gt 1)').join('/')}`
  const answer = await fetch(`${serverUrl()}/odata/v4/buyer/Proposals?${query}`, { headers })
  expect(isHarmless(await answer.text())).toBe(true)
})

it.each([
  [`$filter=${'('.repeat(21)}ID eq 1${')'.repeat(21)}`],
  [`$filter=${Array(300).fill('ID eq 1').join(' or ')}`],
  [`$search=${'a'.repeat(501)}`],
  [`$orderby=${Array(700).fill('ID').join(',')}`],
  [`$expand=${'similar($expand='.repeat(21)}similar${')'.repeat(21)}`],
])('too much to ask for is refused, in a batch too: %.40s', async (query) => {
  const url = `Proposals?$top=1&${query}`
  const headers = signedIn('')
  const answer = await fetch(`${serverUrl()}/odata/v4/buyer/${url}`, { headers })
  expect(answer.status).toBe(400)
  const body = JSON.stringify({ requests: [{ id: '1', method: 'GET', url }] })
  const batch = await post('/odata/v4/buyer/$batch', { ...headers, ...JSON_TYPE }, body)
  expect(JSON.parse(batch.text)).toMatchObject({ responses: [{ status: 400 }] })
})

it('a batch lets others in between its parts', async () => {
  const url = 'Proposals?$top=100&$count=true'
  const requests = Array.from({ length: 100 }, (_, id) => ({ id: `${id}`, method: 'GET', url }))
  const headers = { ...signedIn(''), ...JSON_TYPE }
  let isOver = false
  const batch = post('/odata/v4/buyer/$batch', headers, JSON.stringify({ requests })).finally(
    () => (isOver = true),
  )
  let others = 0
  while (!isOver) {
    await fetch(`${serverUrl()}/ui5/state`).then((answer) => answer.text())
    others++
  }
  expect((await batch).status).toBe(200)
  expect(others).toBeGreaterThan(10)
})

it('a call without a sign-in costs one database statement at most', async () => {
  const CALL = 'call-by-nobody'
  const ids = { 'X-Correlation-ID': CALL, 'X-Request-ID': CALL }
  let statements: string[] = []
  const db = cds.db as unknown as cds.Service
  // The service's own rounds read as well: a call is known by the id that it brings.
  const count = ({ event }: cds.Request) => {
    const isTheCalls = cds.context?.id === CALL
    if (isTheCalls && !['BEGIN', 'COMMIT', 'ROLLBACK'].includes(event)) statements.push(event)
  }
  db.prepend(() => db.before('*', count))
  const key = `Bearer rsk_0123456789abcdef_${'x'.repeat(40)}`
  for (const [, path] of DOORS) {
    for (const method of ['GET', 'POST']) {
      for (const authorization of [{}, { Authorization: key }]) {
        statements = []
        const headers = { ...authorization, ...ids }
        await fetch(serverUrl() + path, { method, headers }).then((answer) => answer.text())
        expect([path, method, ...statements.slice(1)]).toEqual([path, method])
      }
    }
  }
  for (const [door, path] of [
    ['/v1', '/v1/proposals'],
    ['buyer', '/odata/v4/buyer/Proposals'],
  ]) {
    statements = []
    const headers = { ...signedIn(door!), ...ids }
    await fetch(serverUrl() + path!, { headers }).then((answer) => answer.text())
    expect([path, statements.length > 0]).toEqual([path, true])
  }
})
