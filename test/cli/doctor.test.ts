import { errorBody } from './fake-api.ts'
import { restockHere } from './run.ts'
import type { Finding } from '../../cli/doctor/finding.ts'
import { withApi } from './setup.ts'

const bench = withApi()

const page = (...data: object[]) => ({ body: { data, next_cursor: null, has_more: false } })
const today = new Date().toISOString().slice(0, 10)
const source = {
  ...{ id: 'src_2', type: 's4hana', account: '0LABC', status: 'connected', problem: null },
  ...{ streams: [], data_as_of: today },
  last_sync: { id: 'sync_7', status: 'succeeded', finished_at: '2026-11-20T03:00:12Z' },
}

/** A service without a fault. */
function serveHealthy() {
  bench.api.on('GET /health', { body: { status: 'UP' } })
  bench.api.on('GET /openapi.json', { body: { info: { version: '1.0.0' } } })
  bench.api.on('GET /audit/verification', { body: { broken: null, alarm: null } })
  bench.api.on('GET /proposals', page())
  bench.api.on('GET /proposals/blocked', page())
  bench.api.on('GET /sources', page(source))
  bench.api.on('POST /sources/src_2/check', { body: source })
}

beforeEach(serveHealthy)

it('finds nothing where all is well', async () => {
  const { code, stdout } = await bench.run('doctor')
  expect(stdout).toContain('src_2 (s4hana 0LABC): the last sync: succeeded')
  expect([code, stdout.trim().split('\n').at(-1)]).toEqual([0, expect.stringMatching(/^0 faults/)])
})

it('says what does not fit the audit trail', async () => {
  const alarm = { seq: 0, problem: 'proposal_changed', object: 'prop_42' }
  bench.api.on('GET /audit/verification', { body: { broken: null, alarm } })
  const { code, stdout } = await bench.run('doctor')
  expect(code).toBe(1)
  expect(stdout).toContain('Audit trail: prop_42 does not stand as its events say')
})

it('names each fault with its cure', async () => {
  const streams = [{ stream: 'stock', status: 'forbidden', message: 'no right' }]
  const last_sync = { ...source.last_sync, status: 'partial' }
  const ill = { ...source, streams, last_sync, data_as_of: '2020-01-01' }
  bench.api.on('GET /sources', page(ill))
  bench.api.on('POST /sources/src_2/check', { body: ill })
  bench.api.on('GET /openapi.json', { body: { info: { version: '2.0.0' } } })
  bench.api.on('GET /proposals/blocked', page({ sku: 'A' }))
  bench.api.on('GET /health', {
    ...{ status: 503, body: { status: 'DOWN' } },
    headers: { date: 'Thu, 01 Jan 2026 00:00:00 GMT' },
  })
  const { code, stdout } = await bench.run('doctor', '--json')
  const findings = JSON.parse(stdout) as Finding[]
  const found = findings.filter(({ check, status }) => check !== 'Disk' && status !== 'ok')
  expect(code).toBe(1)
  expect(found.map(({ message, cure }) => `${message}: ${cure}`)).toEqual(
    [
      /the service cannot read it: .*log/,
      /version 2\.0\.0, the command knows 1: /,
      /the clocks differ by \d+ s: .*NTP/,
      /stock: no right: .*restock sources check src_2/,
      /the last sync: partial: .*restock syncs show sync_7/,
      /demand as of 2020-01-01, \d+ days ago: /,
      /1 item cannot be proposed: .*restock proposals blocked/,
    ].map((text) => expect.stringMatching(text) as string),
  )
})

it('ends at the first thing that everything else needs', async () => {
  const away = await restockHere(['doctor'], {
    RESTOCK_URL: 'http://127.0.0.1:9/v1',
    RESTOCK_API_KEY: 'rsk_a_b',
  })
  expect([away.code, away.stdout]).toEqual([1, expect.stringContaining('npm start')])
  const message = 'The key is not valid.'
  bench.api.on('GET /proposals', { status: 401, body: errorBody('invalid_api_key', message) })
  const refused = await bench.run('doctor')
  expect(refused.code).toBe(1)
  expect(refused.stdout).toMatch(/FAULT +Key: The key is not valid\.\n +→ .*RESTOCK_API_KEY/)
  expect(refused.stdout).not.toContain('src_2')
})

it('says what the key may not look at', async () => {
  const body = errorBody('insufficient_scope', 'The key lacks a scope.')
  bench.api.on('GET /sources', { status: 403, body })
  const { code, stdout } = await bench.run('doctor')
  expect([code, stdout]).toEqual([0, expect.stringContaining('sources:manage')])
})

it('warns before an ERP ends a consent', async () => {
  const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  for (const [days, told] of [
    [1, true],
    [5, false],
  ] as const) {
    bench.api.on('GET /sources', page({ ...source, consent_ends_at: at(days) }))
    const { stdout } = await bench.run('doctor')
    expect(stdout.includes('restock connect --again src_2')).toBe(told)
  }
})
