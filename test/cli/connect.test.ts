import { restockHere } from './run.ts'
import { KEY, withApi } from './setup.ts'
import { parseJson } from '../support/json.ts'

const bench = withApi()
const CONNECT = ['connect', '--source', 's4hana', '--account', '0LABC', '--role', 'reader']

const pending = {
  id: 'src_2',
  type: 's4hana',
  account: '0LABC',
  role: 'reader',
  status: 'pending_consent',
  authorization_url: 'https://erp.example/authorize?state=s1',
  expires_at: '2999-01-01T00:00:00Z',
}
const connected = {
  ...pending,
  status: 'connected',
  needed_rights: ['stock', 'orders'],
  granted_rights: ['stock', 'orders'],
}

function serve(created: object, ...states: object[]) {
  bench.api.on('POST /sources', { status: 201, body: created })
  bench.api.on(
    'GET /sources/src_2',
    states.map((body) => ({ body })),
  )
}

describe('connect', () => {
  it('prints the consent page, waits, and tells the granted rights', async () => {
    serve(pending, pending, connected)
    const { code, stdout, stderr } = await bench.run(...CONNECT, '--no-browser')
    expect(code).toBe(0)
    expect(stderr.split('\n')[1]).toBe(pending.authorization_url)
    expect(stdout).toContain('Granted rights: 2 of 2')
    expect(stdout).toContain('restock sync --source src_2')
    expect(stderr).toContain('restock policies set --default --stockout-cost-share 0.4')
  })

  it('shows the rights that are needed and those granted, and what cannot be read', async () => {
    const streams = [
      { stream: 'demand', status: 'ok', message: null },
      { stream: 'stock', status: 'forbidden', message: 'no \u001b[31mright' },
    ]
    serve(pending, { ...connected, granted_rights: ['orders'], streams, problem: null })
    const { code, stdout } = await bench.run(...CONNECT, '--no-browser')
    expect(code).toBe(0)
    const lines = stdout.split('\n').map((line) => line.split(/ {2,}/))
    expect(lines).toContainEqual(['stock', 'NOT GRANTED'])
    expect(lines).toContainEqual(['orders', 'orders'])
    expect(stdout).toContain('Granted rights: 1 of 2')
    expect(stdout).toContain('  stock: forbidden, no [31mright')
  })

  it.each([
    ['consent_denied', 'The consent was denied.'],
    ['unexpected_rights', 'The ERP granted rights that were not asked for (WRITE).'],
  ])('fails with the reason: %s', async (code, message) => {
    const failed = { ...pending, problem: { code, message }, consent_expires_at: null }
    serve(pending, { ...pending, consent_expires_at: pending.expires_at }, failed)
    const outcome = await bench.run(...CONNECT, '--no-browser')
    expect(outcome.code).toBe(1)
    expect(outcome.stderr).toContain(message)
    expect(outcome.stdout).toBe('')
    serve(pending, failed)
    const json = await bench.run(...CONNECT, '--no-browser', '--json')
    expect(json.code).toBe(1)
    expect(
      json.stdout
        .trimEnd()
        .split('\n')
        .map((line) => parseJson<object>(line)),
    ).toEqual([...[pending, failed]])
  })

  it('asks again for a source that is connected, and waits for the new consent', async () => {
    const asked = { ...connected, consent_expires_at: pending.expires_at }
    bench.api.on('POST /sources/src_2/consent', { body: asked })
    bench.api.on('GET /sources/src_2', [{ body: asked }, { body: asked }, { body: connected }])
    const { code, stderr } = await bench.run('connect', '--again', 'src_2', '--no-browser')
    expect(code).toBe(0)
    expect(stderr).toContain(pending.authorization_url)
    expect(bench.api.received.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET', 'GET'])
  })

  it('prints the created and the connected source as a line of JSON each', async () => {
    serve(pending, connected)
    const { code, stdout } = await bench.run(...CONNECT, '--no-browser', '--json')
    expect(code).toBe(0)
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => parseJson<object>(line)),
    ).toEqual([pending, connected])
  })

  it('is done at once where no consent is needed', async () => {
    const csv = { id: 'src_3', type: 'csv', account: 'x', role: 'reader', status: 'connected' }
    serve(csv)
    const args = ['connect', '--source', 'csv', '--account', 'x', '--role', 'reader']
    const more = ['--option', 'decimal=,', '--option', 'date_format=DD.MM.YYYY', '--json']
    const { code, stdout } = await bench.run(...args, ...more)
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${JSON.stringify(csv)}\n` })
    expect(bench.api.received).toHaveLength(1)
    expect(bench.api.received[0]?.body).toEqual({
      type: 'csv',
      account: 'x',
      role: 'reader',
      options: { decimal: ',', date_format: 'DD.MM.YYYY' },
    })
  })

  it('shows how files are understood, and who reads the same folder already', async () => {
    const csv = { id: 'src_3', type: 'csv', account: 'x', role: 'reader', status: 'connected' }
    const row = 'A-1 at L1, 2026-11-03, 12 units'
    const streams = [{ stream: 'demand', status: 'ok', message: null, preview: [row] }]
    serve({ ...csv, streams })
    const data = [csv, { ...csv, id: 'src_1' }, { ...csv, id: 'src_2', account: 'y' }]
    bench.api.on('GET /sources', { body: { data, next_cursor: null, has_more: false } })
    const args = ['connect', '--source', 'csv', '--account', 'x', '--role', 'reader']
    const { code, stdout } = await bench.run(...args)
    expect(code).toBe(0)
    expect(stdout).toContain(`demand:\n  ${row}\n`)
    expect(stdout).toContain('Note: src_1 reads the same folder already')
    expect(stdout).toContain('Next: restock sync --source src_3')
  })

  it('sends the schedules that are given', async () => {
    const csv = { id: 'src_3', type: 'csv', account: 'x', role: 'reader', status: 'connected' }
    serve(csv)
    const args = ['connect', '--source', 'csv', '--account', 'x', '--role', 'reader']
    const more = ['--schedule-full', '0 3 * * *', '--schedule-incremental', 'off']
    expect((await bench.run(...args, ...more)).code).toBe(0)
    expect((await bench.run(...args, '--schedule-full', 'default')).code).toBe(0)
    const sent = bench.api.received.map(({ body }) => (body as { schedules: object }).schedules)
    expect(sent).toEqual([{ full: '0 3 * * *', incremental: 'off' }, { full: null }])
  })

  it('takes the client secret from the environment only', async () => {
    serve(pending, connected)
    const env = {
      RESTOCK_URL: bench.api.url,
      RESTOCK_API_KEY: KEY,
      RESTOCK_CLIENT_SECRET: 'hush',
    }
    const { code } = await restockHere([...CONNECT, '--client-id', 'c1', '--no-browser'], env)
    expect(code).toBe(0)
    expect(bench.api.received[0]?.body).toMatchObject({ client_id: 'c1', client_secret: 'hush' })
    expect((await bench.run(...CONNECT, '--client-secret', 'hush')).code).toBe(2)
  })

  it('says which rights were not granted', async () => {
    serve(pending, { ...connected, status: 'reconsent_required', granted_rights: ['stock'] })
    const { code, stderr } = await bench.run(...CONNECT, '--no-browser')
    expect(code).toBe(1)
    expect(stderr).toContain('rights that were not granted: orders')
  })

  it('ends when the consent page has expired', async () => {
    serve({ ...pending, expires_at: '2020-01-01T00:00:00Z' }, pending)
    const { code, stderr } = await bench.run(...CONNECT, '--no-browser')
    expect(code).toBe(1)
    expect(stderr).toContain('connect again')
  })

  it.each([
    [['--source', 'csv']],
    [[...CONNECT.slice(1), '--option', 'novalue']],
    [['--again', 'src_2', '--role', 'reader']],
    [['--again', 'src_2', '--schedule-full', 'off']],
  ])('is wrong usage with %p', async (args) => {
    expect((await bench.run('connect', ...args)).code).toBe(2)
    expect(bench.api.received).toHaveLength(0)
  })
})
