import { errorBody } from './fake-api.ts'
import { withApi } from './setup.ts'
import { parseJson } from '../support/json.ts'

const bench = withApi()
const counts = { read: 100, upserted: 90, unchanged: 5, quarantined: 5, deleted: 0 }

function sync(status: string, more: object = {}) {
  return {
    id: 'sync_7',
    source_id: 'src_1',
    mode: 'incremental',
    status,
    phase: 'demand',
    progress: { done: 50, total: 100, unit: 'rows' },
    counts,
    started_at: '2026-11-20T03:00:00Z',
    finished_at: null,
    estimated_end_at: null,
    issues: [],
    ...more,
  }
}

const ended = (status: string, issues: object[] = []) =>
  sync(status, { finished_at: '2026-11-20T03:00:12Z', issues })

function serve(...states: object[]) {
  const source = { id: 'src_1', type: 'csv', account: 'demo', role: 'reader', status: 'connected' }
  bench.api.on('GET /sources', { body: { data: [source], next_cursor: null, has_more: false } })
  bench.api.on('POST /sources/src_1/sync', { status: 202, body: sync('queued') })
  bench.api.on(
    'GET /syncs/sync_7',
    states.map((body) => ({ body })),
  )
}

describe('sync', () => {
  it('follows the only source to its end with plain lines, and ends with the counts', async () => {
    serve(sync('running'), sync('running'), ended('succeeded'))
    const { code, stdout, stderr } = await bench.run('sync')
    expect(code).toBe(0)
    expect(stderr).toBe('demand · 50/100 rows\n')
    expect(stdout).toBe(
      'Sync sync_7 (incremental): succeeded in 12 s.\n' +
        '100 read, 90 upserted, 5 unchanged, 5 quarantined, 0 deleted.\n',
    )
    const post = bench.api.received.find(({ method }) => method === 'POST')
    expect(post?.body).toEqual({ mode: 'incremental' })
  })

  it('shows rows, rate and the time that is left, on stderr and with --json too', async () => {
    const reading = (done: number, read: number, more = {}) =>
      sync('running', {
        ...{ phase: 'reading', progress: { done, total: 4e6, unit: 'bytes' } },
        counts: { ...counts, read },
        ...more,
      })
    const end = { estimated_end_at: new Date(Date.now() + 3_600_000).toISOString() }
    const forecasting = sync('running', {
      ...{ phase: 'forecasting', progress: { done: 5, total: 9, unit: 'series' } },
      ...end,
    })
    serve(reading(1e6, 1000), reading(2e6, 2000), forecasting, ended('succeeded'))
    const { code, stdout, stderr } = await bench.run('sync', '--json')
    expect(code).toBe(0)
    expect(stdout).toBe(`${JSON.stringify(ended('succeeded'))}\n`)
    expect(stderr).toBe(
      'reading · 1.0/4.0 MB · 1000 rows\nforecasting · 5/9 series · 60 min left\n',
    )
  })

  it.each(['partial', 'failed', 'cancelled'])('exits with 1 where it is %s', async (status) => {
    const message = 'quantity must be a number'
    const issue = { code: 'invalid_value', stream: 'demand', key: 'demand.csv:17', message }
    serve(ended(status, [issue]))
    const { code, stdout } = await bench.run('sync', '--source', 'src_1', '--full')
    expect(code).toBe(1)
    expect(stdout).toMatch(/demand\s+demand\.csv:17\s+invalid_value\s+quantity must be a number/)
    expect(bench.api.received[0]?.body).toEqual({ mode: 'full' })
  })

  it('prints the last state alone as JSON', async () => {
    serve(sync('running'), ended('succeeded'))
    const { code, stdout } = await bench.run('sync', '--json')
    expect(code).toBe(0)
    expect(stdout).toBe(`${JSON.stringify(ended('succeeded'))}\n`)
  })

  it('does not wait with --no-wait', async () => {
    serve(ended('succeeded'))
    const json = await bench.run('sync', '--no-wait', '--json')
    expect(json).toEqual({ code: 0, stdout: `${JSON.stringify(sync('queued'))}\n`, stderr: '' })
    const plain = await bench.run('sync', '--no-wait')
    expect(plain.stdout).toContain('restock syncs show sync_7')
    expect(bench.api.received.some(({ path }) => path === '/syncs/sync_7')).toBe(false)
  })

  it('outlasts a server that fails for a moment', async () => {
    serve()
    const failure = { status: 503, body: errorBody('source_unavailable', 'Not now') }
    bench.api.on('GET /syncs/sync_7', [failure, failure, { body: ended('succeeded') }])
    expect((await bench.run('sync')).code).toBe(0)
  })

  it('names the sync that runs already', async () => {
    serve()
    const body = errorBody('sync_in_progress', 'A sync is running', { sync_id: 'sync_6' })
    bench.api.on('POST /sources/src_1/sync', { status: 409, body })
    const { code, stderr } = await bench.run('sync')
    expect(code).toBe(1)
    expect(stderr).toContain('restock syncs show sync_6')
  })

  it('takes every connected source, the oldest first, where none is named', async () => {
    const source = (id: string, status = 'connected') => ({ id, type: 'csv', account: 'x', status })
    const list = (data: object[]) => ({ body: { data, next_cursor: null, has_more: false } })
    const waiting = source('src_3', 'pending_consent')
    bench.api.on('GET /sources', list([waiting, source('src_2'), source('src_1')]))
    for (const [id, run] of [
      ['src_1', 'sync_7'],
      ['src_2', 'sync_8'],
    ]) {
      const started = { ...ended('succeeded'), id: run, status: 'queued' }
      bench.api.on(`POST /sources/${id}/sync`, { status: 202, body: started })
      bench.api.on(`GET /syncs/${run}`, { body: { ...ended('succeeded'), id: run } })
    }
    const { code, stdout } = await bench.run('sync', '--json')
    expect(code).toBe(0)
    const lines = stdout.trim().split('\n')
    expect(lines.map((line) => parseJson<{ id: string }>(line).id)).toEqual(['sync_7', 'sync_8'])
  })

  it('asks for a source where there is none', async () => {
    bench.api.on('GET /sources', { body: { data: [], next_cursor: null, has_more: false } })
    const none = await bench.run('sync')
    expect(none.code).toBe(1)
    expect(none.stderr).toContain('restock connect')
  })
})

describe('syncs show', () => {
  it('shows how far a sync is', async () => {
    serve(sync('running'))
    const { code, stdout } = await bench.run('syncs', 'show', 'sync_7')
    expect(code).toBe(0)
    expect(stdout).toContain('running, demand 50 of 100 rows.')
  })

  it('shows the first issues of many', async () => {
    const issue = { code: 'invalid_value', stream: 'demand', key: 'x', message: 'm' }
    serve(ended('partial', Array<object>(25).fill(issue)))
    const { code, stdout } = await bench.run('syncs', 'show', 'sync_7')
    expect(code).toBe(0)
    expect(stdout).toContain('25 issues:')
    expect(stdout).toContain('and 5 more')
  })
})
