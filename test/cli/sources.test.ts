import { errorBody } from './fake-api.ts'
import { withApi } from './setup.ts'

const bench = withApi()

const schedules = {
  full: { expression: '0 2 * * *', is_default: true, next_run_at: '2026-11-22T02:00:00.000Z' },
  incremental: { expression: '0 * * * *', is_default: false, next_run_at: '2026-11-21T21:00:00Z' },
}
const source = {
  ...{ id: 'src_2', type: 's4hana', account: '0LABC', role: 'reader', status: 'connected' },
  ...{ needed_rights: ['stock', 'orders'], granted_rights: ['orders'], schedules },
  streams: [
    { stream: 'demand', status: 'ok', message: null },
    { stream: 'stock', status: 'forbidden', message: 'no right' },
  ],
  last_sync: { id: 'sync_7', status: 'partial', finished_at: '2026-11-20T03:00:12Z' },
  data_as_of: '2026-11-20',
}

describe('sources', () => {
  it('are listed with their next run', async () => {
    const never = { ...schedules.full, next_run_at: null }
    const off = { ...source, id: 'src_1', schedules: { full: never, incremental: never } }
    const body = { data: [source, off], next_cursor: null, has_more: false }
    bench.api.on('GET /sources', { body })
    const { code, stdout } = await bench.run('sources', 'list')
    expect(code).toBe(0)
    const [head, first, second] = stdout.split('\n')
    expect(head).toMatch(/Next run$/)
    expect(first).toMatch(/2026-11-21T21:00:00Z$/)
    expect(second).toMatch(/^src_1 .* –$/)
  })

  it('are shown with schedules, rights and what cannot be read', async () => {
    bench.api.on('GET /sources/src_2', { body: source })
    const { code, stdout } = await bench.run('sources', 'show', 'src_2')
    expect(code).toBe(0)
    const lines = stdout.split('\n').map((line) => line.split(/ {2,}/))
    expect(lines).toContainEqual(['full', '0 2 * * *', 'by default', '2026-11-22T02:00:00.000Z'])
    expect(lines).toContainEqual([
      ...['incremental', '0 * * * *', 'for this source', '2026-11-21T21:00:00Z'],
    ])
    expect(lines).toContainEqual(['stock', 'NOT GRANTED'])
    expect(stdout).toContain('Last sync sync_7: partial')
    expect(stdout).toContain('stock: forbidden, no right')
  })

  it('have their schedules changed, one or both', async () => {
    bench.api.on('PATCH /sources/src_2', { body: source })
    const both = ['--full', '30 1 * * *', '--incremental', 'off']
    expect((await bench.run('sources', 'edit', 'src_2', ...both)).code).toBe(0)
    const one = await bench.run('sources', 'edit', 'src_2', '--full', 'default', '--json')
    expect(one).toMatchObject({ code: 0, stdout: `${JSON.stringify(source)}\n` })
    expect(bench.api.received.map(({ body }) => body)).toEqual([
      { schedules: { full: '30 1 * * *', incremental: 'off' } },
      { schedules: { full: null } },
    ])
  })

  it('get another precedence, and say who leads what', async () => {
    const led = { precedence: 7, led_by: [{ source_id: 'src_1', pairs: 12 }] }
    bench.api.on('PATCH /sources/src_2', { body: { ...source, ...led } })
    const { code, stdout } = await bench.run('sources', 'edit', 'src_2', '--precedence', '7')
    expect(code).toBe(0)
    expect(bench.api.received.map(({ body }) => body)).toEqual([{ precedence: 7 }])
    expect(stdout).toContain('Precedence 7; src_1 leads 12 of its items.')
    expect((await bench.run('sources', 'edit', 'src_2', '--precedence', '0')).code).toBe(2)
  })

  it('get other options, and show how their files are read then', async () => {
    const row = 'A-1 at L1, 2026-11-03, 12 units'
    const demand = { stream: 'demand', status: 'ok', message: null, preview: [row] }
    const stock = {
      stream: 'stock',
      status: 'absent',
      message: null,
      notes: ['stocks.csv is not read.'],
    }
    bench.api.on('PATCH /sources/src_2', { body: { ...source, streams: [demand, stock] } })
    const options = ['--option', 'date_format=DD/MM/YYYY', '--option', 'decimal=']
    const { code, stdout } = await bench.run('sources', 'edit', 'src_2', ...options)
    expect(code).toBe(0)
    expect(bench.api.received.map(({ body }) => body)).toEqual([
      { options: { date_format: 'DD/MM/YYYY', decimal: null } },
    ])
    expect(stdout).toContain(`demand:\n  ${row}\nstock:\n  Note: stocks.csv is not read.\n`)
  })

  it('are removed, and what goes is named', async () => {
    bench.api.on('GET /sources/src_2', { body: source })
    bench.api.on('DELETE /sources/src_2', { status: 204 })
    const removed = await bench.run('sources', 'remove', 'src_2')
    expect(removed).toEqual({
      ...{ code: 0, stdout: 'Removed src_2.\n', stderr: 'src_2: s4hana 0LABC.\n' },
    })
    const calls = bench.api.received.map(({ method, path }) => `${method} ${path}`)
    expect(calls).toEqual(['GET /sources/src_2', 'DELETE /sources/src_2'])
  })

  it('tell what is wrong with a schedule', async () => {
    const message = 'schedules.full: must be a cron expression of five fields'
    bench.api.on('PATCH /sources/src_2', {
      status: 400,
      body: errorBody('invalid_parameter', message, { target: 'schedules.full' }),
    })
    const { code, stderr } = await bench.run('sources', 'edit', 'src_2', '--full', 'daily')
    expect(code).toBe(1)
    expect(stderr).toContain(message)
  })

  it('show their schedules where none is given', async () => {
    bench.api.on('GET /sources/src_2', { body: source })
    const { code, stdout } = await bench.run('sources', 'edit', 'src_2')
    expect(code).toBe(0)
    expect(stdout).toContain('2026-11-22T02:00:00.000Z')
  })

  it('are checked: 1 where a stream cannot be read', async () => {
    bench.api.on('POST /sources/src_2/check', { body: source })
    const { code, stdout } = await bench.run('sources', 'check', 'src_2')
    expect(code).toBe(1)
    const lines = stdout.split('\n').map((line) => line.split(/ {2,}/))
    expect(lines).toContainEqual(['stock', 'forbidden', 'no right'])
    expect(lines).toContainEqual(['demand', 'ok', '–'])
    const open = { ...source, streams: source.streams.slice(0, 1) }
    bench.api.on('POST /sources/src_2/check', { body: open })
    const json = await bench.run('sources', 'check', 'src_2', '--json')
    expect(json).toEqual({ code: 0, stdout: `${JSON.stringify(open)}\n`, stderr: '' })
  })
})
