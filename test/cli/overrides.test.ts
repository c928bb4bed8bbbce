import { withApi } from './setup.ts'

const bench = withApi()

const override = {
  ...{ id: 'ovr_12', sku: 'A-100', location: 'L1', group: null },
  ...{ from: '2026-11-23', to: '2026-12-24', percent: 20, units: null, reason: 'Christmas' },
  value_added: { pairs: 1, demand: 60, error_statistical: 30, error_adjusted: 20 },
  ...{ status: 'running', created_at: '2026-11-23T09:00:00.000Z', created_by: 'admin' },
}

describe('overrides', () => {
  it('list shows what is not over, how it changes what, and why', async () => {
    const other = { ...override, id: 'ovr_7', sku: null, location: null, group: 'tools' }
    const rows = [override, { ...other, percent: null, units: 500, to: override.from }]
    const page = { data: rows, next_cursor: null, has_more: false }
    bench.api.on('GET /forecast-overrides', { body: page })
    const { code, stdout } = await bench.run('overrides', 'list', '--sku', 'A-100')
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /ovr_12 +\+20 % +2026-11-23 to 2026-12-24 +sku A-100, location L1 +running +-33 % +Christmas +admin/,
    )
    expect(stdout).toMatch(/ovr_7 +500 units +2026-11-23 +group tools +running/)
    const today = new Date().toISOString().slice(0, 10)
    const query = Object.fromEntries(bench.api.received.at(-1)!.query)
    expect(query).toEqual({ sku: 'A-100', not_before: today })
  })

  it('add sends what was said, and tells what it concerns', async () => {
    bench.api.on('POST /forecast-overrides', { status: 201, body: { ...override, concerns: 1 } })
    const add = ['overrides', 'add', '--to', '2026-12-24', '--reason', 'Christmas']
    const { code, stdout } = await bench.run(
      ...add,
      ...['--sku', 'A-100', '--location', 'L1', '--percent', '20'],
    )
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout:
        'Entered ovr_12, +20 % for sku A-100, location L1, 2026-11-23 to 2026-12-24: it concerns 1 SKUs at locations.\n',
    })
    expect(bench.api.received.at(-1)!.body).toEqual({
      ...{ to: '2026-12-24', reason: 'Christmas', sku: 'A-100', location: 'L1', percent: 20 },
    })
    await bench.run(...add, '--percent', '-15')
    expect(bench.api.received.at(-1)!.body).toMatchObject({ percent: -15 })
    expect((await bench.run(...add, '--units', 'x')).code).toBe(2)
  })

  it('remove names the override', async () => {
    bench.api.on('DELETE /forecast-overrides/ovr_12', { status: 204 })
    const { code, stdout } = await bench.run('overrides', 'remove', 'ovr_12')
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Removed ovr_12.\n' })
  })
})

it('a forecast that is adjusted is shown beside the one that was made', async () => {
  const quantiles = { p10: 31, p50: 44, p90: 61 }
  bench.api.on('GET /forecasts', {
    body: {
      ...{ sku: 'A-100', location: 'L1', horizon_days: 28, forecast: quantiles },
      ...{ confidence: 'high', drivers: [], driver_amounts: [], censored_share: 0 },
      adjusted_forecast: { p10: 37, p50: 53, p90: 73 },
      overrides: [{ id: 'ovr_12', percent: 20, units: null, reason: 'Christmas' }],
      ...{ as_of: '2026-11-23', generated_at: '2026-11-23T09:00:00.000Z' },
    },
  })
  const { stdout } = await bench.run('forecasts', 'get', 'A-100', 'L1')
  expect(stdout).toContain('P50 44 (P10 31, P90 61)')
  expect(stdout).toContain('Adjusted P50 53 (P10 37, P90 73), +20 %: Christmas')
})
