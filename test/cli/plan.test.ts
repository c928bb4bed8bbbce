import { withApi } from './setup.ts'

const bench = withApi()

const event = {
  ...{ id: 'plan_12', source_id: null, kind: 'closure', sku: null, location: 'L1', group: null },
  ...{ from: '2026-12-24', to: '2026-12-26', factor: null, price: null, name: null },
  ...{ changed_at: '2026-11-20T09:00:00.000Z', changed_by: 'admin' },
}

describe('plan', () => {
  it('list shows what is not over, and what it is for', async () => {
    const other = { ...event, id: 'plan_7', kind: 'event', sku: 'A-100', location: null }
    const rows = [event, { ...other, source_id: 'src_1', factor: 1.5, to: '2026-12-24' }]
    const page = { data: rows, next_cursor: null, has_more: false }
    bench.api.on('GET /planned-events', { body: page })
    const { code, stdout } = await bench.run('plan', 'list', '--location', 'L1')
    expect(code).toBe(0)
    expect(stdout).toMatch(/plan_12 +closure +2026-12-24 to 2026-12-26 +location L1 +– +– +admin/)
    expect(stdout).toMatch(/plan_7 +event +2026-12-24 +sku A-100 +1\.5 +– +src_1/)
    const today = new Date().toISOString().slice(0, 10)
    const query = Object.fromEntries(bench.api.received.at(-1)!.query)
    expect(query).toEqual({ location: 'L1', not_before: today })
  })

  it('add sends what was said, and tells what it concerns', async () => {
    bench.api.on('POST /planned-events', { status: 201, body: { ...event, concerns: 24 } })
    const { code, stdout } = await bench.run(
      ...['plan', 'add', '--kind', 'closure', '--location', 'L1'],
      ...['--from', '2026-12-24', '--to', '2026-12-26'],
    )
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'Entered plan_12, closure for location L1: it concerns 24 SKUs at locations.\n',
    })
    expect(bench.api.received.at(-1)!.body).toEqual({
      ...{ kind: 'closure', location: 'L1', from: '2026-12-24', to: '2026-12-26' },
    })
    const wrong = await bench.run('plan', 'add', '--kind', 'event', '--from', '1', '--factor', 'x')
    expect(wrong.code).toBe(2)
  })

  it('remove names the event', async () => {
    bench.api.on('DELETE /planned-events/plan_12', { status: 204 })
    const { code, stdout } = await bench.run('plan', 'remove', 'plan_12')
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Removed plan_12.\n' })
  })

  it('holidays names a country, none, or takes it back', async () => {
    const calendar = {
      ...{ location: null, country: 'DE', region: 'BY' },
      ...{ changed_at: '2026-11-20T09:00:00.000Z', changed_by: 'admin' },
    }
    bench.api.on('PUT /holiday-calendars', { body: { ...calendar, concerns: 3 } })
    const set = await bench.run('plan', 'holidays', '--country', 'DE', '--region', 'BY')
    expect(set.stdout).toBe(
      'The public holidays of DE-BY hold at all other locations: it concerns 3 SKUs at locations.\n',
    )
    expect(bench.api.received.at(-1)!.body).toEqual({ location: null, country: 'DE', region: 'BY' })
    await bench.run('plan', 'holidays', '--location', 'L1', '--none')
    expect(bench.api.received.at(-1)!.body).toEqual({ location: 'L1', country: null, region: null })
    bench.api.on('DELETE /holiday-calendars', { status: 204 })
    const removed = await bench.run('plan', 'holidays', '--location', 'L1', '--remove')
    expect(removed.stdout).toBe('Removed what holds at L1.\n')
    const page = { data: [calendar], next_cursor: null, has_more: false }
    bench.api.on('GET /holiday-calendars', { body: page })
    expect((await bench.run('plan', 'holidays')).stdout).toMatch(/all others +DE-BY +admin/)
    for (const wrong of [
      ['--region', 'BY'],
      ['--none', '--remove'],
      ['--location', 'L1'],
    ])
      expect((await bench.run('plan', 'holidays', ...wrong)).code).toBe(2)
  })
})
