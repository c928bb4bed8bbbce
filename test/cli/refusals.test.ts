// Every way in which a server can fail to answer ends in one line that says what to do next.
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorBody } from './fake-api.ts'
import { restock, restockHere } from './run.ts'
import { KEY, withApi } from './setup.ts'

const bench = withApi()
const EMPTY = { body: { data: [], next_cursor: null, has_more: false } }

function refuse(status: number, code: string, headers: Record<string, string> = {}) {
  bench.api.on('GET /sources', { status, body: errorBody(code, 'No.'), headers })
  return bench.run('sources', 'list')
}

function oneLine(stderr: string) {
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  return expect(stderr)
}

describe('a refusal', () => {
  it('of the key says how to get another', async () => {
    const { code, stderr } = await refuse(401, 'invalid_api_key')
    expect(code).toBe(1)
    oneLine(stderr).toContain('(invalid_api_key). Check RESTOCK_API_KEY')
  })

  it('for want of a scope asks for a key that has it', async () => {
    const { code, stderr } = await refuse(403, 'insufficient_scope')
    expect(code).toBe(1)
    oneLine(stderr).toContain('Use a key that has this scope')
  })

  it('by a failure names the request in the log', async () => {
    const { code, stderr } = await refuse(500, 'internal_error')
    expect(code).toBe(1)
    oneLine(stderr).toContain('under req-1')
  })

  it('for now says when to try again', async () => {
    const { stderr } = await refuse(503, 'forecast_not_ready', { 'retry-after': '7' })
    oneLine(stderr).toContain('Try again in 7 seconds')
  })

  it('holds no terminal commands', async () => {
    const body = errorBody('internal_error', 'a\u001b[2Jb\nc')
    bench.api.on('GET /sources', { status: 500, body })
    const { stderr } = await bench.run('sources', 'list')
    oneLine(stderr).toContain('a[2Jb c')
  })
})

describe('the rate limit', () => {
  const limited = (seconds: string) => ({
    status: 429,
    body: errorBody('rate_limited', 'Too many calls'),
    headers: { 'retry-after': seconds },
  })

  it('is waited for', async () => {
    bench.api.on('GET /sources', [limited('1'), EMPTY])
    const before = Date.now()
    const { code, stdout, stderr } = await bench.run('sources', 'list', '--json')
    expect(Date.now() - before).toBeGreaterThanOrEqual(1000)
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${JSON.stringify(EMPTY.body)}\n` })
    expect(stderr).toContain('trying again in 1 s')
    expect(bench.api.received).toHaveLength(2)
  })

  it('is waited for a bounded number of times', async () => {
    bench.api.on('GET /sources', limited('0'))
    const { code, stderr } = await bench.run('sources', 'list')
    expect(code).toBe(1)
    expect(bench.api.received).toHaveLength(4)
    expect(stderr).toContain('error: Too many calls (rate_limited)')
  })

  it('is not waited for over minutes', async () => {
    bench.api.on('GET /sources', limited('3600'))
    const { code, stderr } = await bench.run('sources', 'list')
    expect(code).toBe(1)
    oneLine(stderr).toContain('Try again in 3600 seconds')
  })
})

describe('the wrong server', () => {
  it('is recognised by what it answers', async () => {
    const html = { body: '<html>Welcome</html>', headers: { 'content-type': 'text/html' } }
    bench.api.on('GET /sources', html)
    oneLine((await bench.run('sources', 'list')).stderr).toContain('check RESTOCK_URL')
    bench.api.on('GET /sources', { ...html, status: 502 })
    oneLine((await bench.run('sources', 'list')).stderr).toContain('try again in a while')
  })

  it('never gets the key by a redirect', async () => {
    bench.api.on('GET /sources', { status: 302, headers: { location: `${bench.api.url}/keys` } })
    const { code, stderr } = await bench.run('sources', 'list')
    expect(code).toBe(1)
    oneLine(stderr).toContain('check RESTOCK_URL')
    expect(bench.api.received).toHaveLength(1)
  })

  it('may not be there at all', async () => {
    await bench.api.close()
    const env = { RESTOCK_URL: bench.api.url, RESTOCK_API_KEY: KEY }
    const { code, stdout, stderr } = await restock(['sources', 'list', '--json'], { env })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    oneLine(stderr).toMatch(/cannot be reached \(ECONNREFUSED\)\. Start it with "npm start"/)
  })

  it('is the right one without /v1', async () => {
    bench.api.on('GET /sources', { body: { data: [], has_more: false, next_cursor: null } })
    for (const slashes of ['', '/', '//']) {
      const env = { RESTOCK_URL: bench.api.url.replace('/v1', slashes), RESTOCK_API_KEY: KEY }
      expect((await restockHere(['sources', 'list'], env)).code).toBe(0)
    }
  })

  it('may be no address', async () => {
    const { code, stderr } = await restockHere(['sources', 'list'], { RESTOCK_URL: 'here' })
    expect(code).toBe(2)
    oneLine(stderr).toContain('RESTOCK_URL')
  })
})

describe('without RESTOCK_API_KEY', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'restock-'))
    mkdirSync(join(folder, '.restock'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  const run = () =>
    restock(['sources', 'list'], { env: { RESTOCK_URL: bench.api.url }, cwd: folder })
  const keep = (key: string) =>
    writeFileSync(join(folder, '.restock', `key-${bench.api.port}`), `${key}\n`)

  it('the demo key of the server on that port is used', async () => {
    keep('rsk_demo_1')
    bench.api.on('GET /sources', EMPTY)
    expect((await run()).code).toBe(0)
    expect(bench.api.received[0]?.headers.authorization).toBe('Bearer rsk_demo_1')
  })

  it('a demo key that another server left is named as such', async () => {
    keep('rsk_demo_old')
    bench.api.on('GET /sources', {
      status: 401,
      body: errorBody('invalid_api_key', 'Unknown key.'),
    })
    const { code, stderr } = await run()
    expect(code).toBe(1)
    oneLine(stderr).toContain(`key-${bench.api.port} does not belong to the server`)
  })

  it('a file without a key is named as such', async () => {
    keep('two words')
    oneLine((await run()).stderr).toContain('is no API key')
  })

  it('a server on this machine without a demo key is to be started', async () => {
    const { code, stderr } = await run()
    expect(code).toBe(1)
    oneLine(stderr).toContain('npm start')
  })

  it('a server elsewhere needs a key', async () => {
    const env = { RESTOCK_URL: 'https://restock.example/v1' }
    const { code, stderr } = await restock(['sources', 'list'], { env, cwd: folder })
    expect(code).toBe(1)
    oneLine(stderr).toContain('restock keys create')
  })
})

describe('a day that is none', () => {
  it.each([
    ['report', 'value', '--from', '2026-02-30'],
    ['plan', 'add', '--kind', 'closure', '--from', '2026-02-29'],
    ['plan', 'add', '--kind', 'closure', '--from', '2026-02-28', '--to', '2026-02-30'],
    ['overrides', 'add', '--percent', '5', '--reason', 'fair', '--to', '2026-13-01'],
    ['overrides', 'add', '--percent', '5', '--reason', 'fair', '--to', '2026-12-1'],
  ])('is wrong usage, and nothing is asked: %s %s', async (...args) => {
    const { code, stderr } = await bench.run(...args)
    expect([code, bench.api.received]).toEqual([2, []])
    expect(stderr).toContain('must be a calendar day as YYYY-MM-DD')
  })
})
