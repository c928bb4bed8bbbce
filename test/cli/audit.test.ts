import { withApi } from './setup.ts'
import { parseJson } from '../support/json.ts'

const bench = withApi()

const HEAD = `12:${'a'.repeat(64)}`
const whole = {
  ...{ valid: true, entries: 12, head: HEAD, sealed_at: null, late: 0, broken: null },
  next_from: null,
}

describe('audit verify', () => {
  it('prints the head, to be kept elsewhere', async () => {
    bench.api.on('GET /audit/verification', { body: whole })
    const { code, stdout } = await bench.run('audit', 'verify')
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `The audit trail is intact: 12 entries.\nHead: ${HEAD}\n`,
    })
    expect(bench.api.received[0]?.query.toString()).toBe('limit=100000')
  })

  it('holds an earlier head against it', async () => {
    bench.api.on('GET /audit/verification', { body: whole })
    await bench.run('audit', 'verify', '--expect-head', HEAD)
    expect(bench.api.received[0]?.query.get('expect_head')).toBe(HEAD)
  })

  it('verifies piece by piece, from a head on', async () => {
    const next_from = `6:${'b'.repeat(64)}`
    bench.api.on('GET /audit/verification', [
      { body: { ...whole, entries: 6, late: 1, next_from } },
      { body: { ...whole, late: 2 } },
    ])
    const from = `3:${'c'.repeat(64)}`
    const { stdout, stderr } = await bench.run('audit', 'verify', '--from', from)
    expect(stdout).toContain('intact: 12 entries')
    expect(stderr).toContain('3 entries are older')
    expect(bench.api.received.map(({ query }) => query.get('from'))).toEqual([from, next_from])
  })

  it('names the first broken entry and ends with 1, with --json too', async () => {
    const broken = { seq: 7, problem: 'changed', object: 'prop_3' }
    const body = { ...whole, valid: false, broken }
    bench.api.on('GET /audit/verification', { body })
    const plain = await bench.run('audit', 'verify')
    expect(plain.code).toBe(1)
    expect(plain.stderr).toBe('error: The audit trail is broken: entry 7 (prop_3) was changed.\n')
    const json = await bench.run('audit', 'verify', '--json')
    expect({ code: json.code, body: parseJson<object>(json.stdout) }).toEqual({ code: 1, body })
  })

  it('reports entries that are older than they should be', async () => {
    bench.api.on('GET /audit/verification', { body: { ...whole, late: 2 } })
    const { code, stderr } = await bench.run('audit', 'verify')
    expect(code).toBe(0)
    expect(stderr).toContain('2 entries are older')
  })

  it.each(['12', 'abc', `12:${'A'.repeat(64)}`])('is wrong usage with a head %s', async (head) => {
    const { code } = await bench.run('audit', 'verify', '--expect-head', head)
    expect(code).toBe(2)
    expect(bench.api.received).toHaveLength(0)
  })
})

describe('report value', () => {
  const side = (days: number) => ({ stockout_days: days, units_short: 3.5, average_stock: 20 })
  const body = {
    ...{ from: '2026-09-01', to: '2026-09-30', decided: 9, unchanged: 5, edited: 3, rejected: 1 },
    ...{ evaluated: 3, too_recent: 1, system: side(2), buyer: side(4) },
    working_capital: [{ currency: 'EUR', system: '60.00', buyer: '80.00', difference: '20.00' }],
  }

  it('compares what was proposed with what was decided', async () => {
    bench.api.on('GET /reports/value', { body })
    const { code, stdout } = await bench.run(
      'report',
      'value',
      '--from',
      body.from,
      '--to',
      body.to,
    )
    expect(code).toBe(0)
    expect(stdout).toContain('Compared with demand: 3; 1 are too recent.')
    expect(stdout).toMatch(/Stockout days +2 +4\n/)
    expect(stdout).toMatch(/Average stock, EUR +60\.00 +80\.00\n/)
    expect(bench.api.received[0]?.query.toString()).toBe('from=2026-09-01&to=2026-09-30')
  })

  it('is of the last 90 days unless said otherwise', async () => {
    bench.api.on('GET /reports/value', { body })
    const { stdout } = await bench.run('report', 'value', '--json')
    expect(JSON.parse(stdout)).toEqual(body)
    const query = bench.api.received[0]!.query
    const days = (Date.parse(query.get('to')!) - Date.parse(query.get('from')!)) / 86_400_000
    expect(days).toBe(90)
  })

  it.each(['yesterday', '2026-13-01', '2026-1-1'])('is wrong usage from %s', async (day) => {
    expect((await bench.run('report', 'value', '--from', day)).code).toBe(2)
  })
})
