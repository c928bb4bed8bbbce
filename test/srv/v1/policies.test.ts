import cds from '@sap/cds'
import { AuditLog } from '../../../srv/base/database/entities.ts'
import { until } from '../../support/service.ts'
import { connectFiles, daysAgo, steadyDemand, sync } from '../../support/server.ts'
import { aKey, call, del, errorOf, get, post } from './api.ts'
import { readDemand } from './demand.ts'

const { SELECT } = cds.ql

const TEN = { from_quantity: 10, unit_cost: '1.00' }

const put = (body: unknown) => call('PUT', '/policies', { body })

beforeAll(() => readDemand('policies'))

afterEach(async () => {
  const { json } = await get('/policies?limit=200')
  for (const { level, sku, location, supplier, group } of json.data) {
    const named = Object.entries({ sku, location, supplier, group }).filter(([, name]) => name)
    const query = new URLSearchParams([['level', level], ...(named as [string, string][])])
    expect((await del(`/policies?${query}`)).status).toBe(204)
  }
})

describe('rules of one’s own', () => {
  it('are set, replaced, listed and removed', async () => {
    const first = await put({ level: 'sku', sku: 'B2', moq: 40, lead_time_days: 3 })
    expect(first.status).toBe(200)
    expect(first.json).toMatchObject({ level: 'sku', sku: 'B2', location: null, moq: 40 })
    const second = await put({ level: 'sku', sku: 'B2', moq: 60 })
    expect(second.json).toMatchObject({ moq: 60, lead_time_days: null })
    await put({ level: 'default', review_period_days: 14 })
    const { json } = await get('/policies')
    expect(json.data.map(({ level }: { level: string }) => level)).toEqual(['default', 'sku'])
    expect((await get('/policies?level=sku&sku=B2')).json.data).toEqual([second.json])
    expect((await del('/policies?level=sku&sku=B2')).status).toBe(204)
    expect(errorOf(await del('/policies?level=sku&sku=B2'))).toEqual({
      status: 404,
      code: 'not_found',
    })
  })

  it('are listed page by page, none twice', async () => {
    for (const sku of ['x|1', "x'2", 'ü 3', '..']) await put({ level: 'sku', sku, moq: 1 })
    const seen: string[] = []
    for (let cursor = ''; ;) {
      const { json } = await get(`/policies?limit=1${cursor}`)
      seen.push(...json.data.map(({ sku }) => sku!))
      if (!json.has_more) break
      cursor = `&cursor=${json.next_cursor}`
    }
    expect(seen.toSorted()).toEqual(['..', "x'2", 'x|1', 'ü 3'].toSorted())
  })

  it.each([
    [{ level: 'sku', moq: 1 }, 'sku'],
    [{ level: 'sku', sku: '', moq: 1 }, 'sku'],
    [{ level: 'default', sku: 'B2', moq: 1 }, 'sku'],
    [{ level: 'sku+location', sku: 'B2', moq: 1 }, 'location'],
    [{ level: 'item', moq: 1 }, 'level'],
    [{ level: 'default' }, 'level'],
    [{ level: 'default', moq: -1 }, 'moq'],
    [{ level: 'default', moq: '1' }, 'moq'],
    [{ level: 'default', lead_time_days: 1.5 }, 'lead_time_days'],
    [{ level: 'default', lead_time_days: 3651 }, 'lead_time_days'],
    [{ level: 'default', lot_size: 0 }, 'lot_size'],
    [{ level: 'default', target_quantile: 0.995 }, 'target_quantile'],
    [{ level: 'default', target_quantile: 0.8, stockout_cost_share: 1 }, 'target_quantile'],
    [{ level: 'default', moq: 10, maximum_order: 5 }, 'maximum_order'],
    [{ level: 'default', container_units: 10 }, 'container_units'],
    [{ level: 'supplier', supplier: 'S1', minimum_order_value: 5 }, 'minimum_order_value'],
    [{ level: 'supplier', supplier: 'S1', order_days: [0] }, 'order_days'],
    [{ level: 'supplier', supplier: 'S1', order_cost: '-5' }, 'order_cost'],
    [{ level: 'default', order_cost: '5.00' }, 'order_cost'],
    [{ level: 'supplier', supplier: 'S1', freight_cost: '5.00' }, 'free_freight_from'],
    [{ level: 'supplier', supplier: 'S1', free_freight_from: '5.00' }, 'freight_cost'],
    [{ level: 'default', free_freight_from: '5.00', freight_cost: '1.00' }, 'free_freight_from'],
    [{ level: 'supplier+location', supplier: 'S1', minimum_order_quantity: 5 }, 'location'],
    [{ level: 'location', location: 'L1', minimum_order_quantity: 5 }, 'minimum_order_quantity'],
    [{ level: 'sku', sku: 'B2', orders_by_location: true }, 'orders_by_location'],
    [{ level: 'default', price_breaks: [{ from_quantity: 5, unit_cost: '1.00' }] }, 'price_breaks'],
    [{ level: 'sku', sku: 'B2', price_breaks: [{ from_quantity: 5 }] }, 'price_breaks.unit_cost'],
    [{ level: 'sku', sku: 'B2', price_breaks: [TEN, TEN] }, 'price_breaks'],
    [
      { level: 'sku', sku: 'B2', price_breaks: [{ ...TEN, from_quantity: 100 / 3 }] },
      'price_breaks',
    ],
    [{ level: 'default', colour: 'red' }, 'colour'],
  ])('are refused where they cannot be: %j', async (rule, target) => {
    expect(errorOf(await put(rule))).toEqual({ status: 400, code: 'invalid_parameter', target })
  })

  it('warn of what no source has, and are stored all the same', async () => {
    const { status, json } = await put({
      level: 'sku+location',
      sku: 'B-2',
      location: 'L9',
      moq: 1,
    })
    expect([status, json.warnings]).toEqual([
      200,
      [
        {
          code: 'unknown_sku',
          target: 'sku',
          message: 'No connected ERP has a SKU B-2: the rule has an effect only once one has.',
        },
        expect.objectContaining({ code: 'unknown_location', target: 'location' }),
      ],
    ])
    const group = await put({ level: 'group', group: 'none', moq: 1 })
    expect(group.json.warnings).toMatchObject([{ code: 'unknown_group', target: 'group' }])
    expect((await put({ level: 'sku', sku: 'B2', moq: 1 })).json).not.toHaveProperty('warnings')
    expect((await get('/policies')).json.data).toHaveLength(3)
  })

  it('need their own right', async () => {
    const key = await aKey({ scopes: ['proposals:decide', 'keys:manage'] })
    for (const answer of [await get('/policies', { key }), await call('PUT', '/policies', { key })])
      expect(errorOf(answer).code).toBe('insufficient_scope')
  })

  it('are audited, with before and after', async () => {
    await put({ level: 'location', location: 'L1', lead_time_days: 5 })
    await put({ level: 'location', location: 'L1', lead_time_days: 6 })
    await put({ level: 'location', location: 'L1', lead_time_days: 6 })
    const entries = await SELECT.from(AuditLog)
      .columns('detail')
      .where({ action: 'policy.set', object: 'location L1' })
      .orderBy('at')
    expect(entries.map(({ detail }) => detail)).toEqual([
      'nothing → {"leadTimeDays":5}',
      '{"leadTimeDays":5} → {"leadTimeDays":6}',
    ])
  })
})

describe('a change of a rule', () => {
  const proposalOf = async (sku: string) =>
    (await get(`/proposals?status=pending&location=L1&sku=${sku}`)).json.data[0]

  it('is in the proposals shortly after, which say who decided', async () => {
    const before = await proposalOf('C3')
    expect(before!.calculation).toMatchObject({
      lead_time_days: 7,
      moq: 20,
      rules: { lead_time: 'erp', moq: 'erp', review_period: 'configured' },
    })
    await put({ level: 'sku', sku: 'C3', lead_time_days: 21 })
    await put({ level: 'default', review_period_days: 9, moq: 1000 })
    await until(async () => (await proposalOf('C3'))!.calculation.review_period_days === 9)
    const { calculation } = (await proposalOf('C3'))!
    expect(calculation).toMatchObject({
      lead_time_days: 21,
      moq: 20,
      rules: { lead_time: 'policy:sku C3', moq: 'erp', review_period: 'policy:default' },
    })
    expect((await proposalOf('D4'))!.calculation).toMatchObject({ lead_time_days: 7, moq: 20 })
  })

  it('sets prices by quantity, which an order is raised to where that is cheaper', async () => {
    const breaks = [
      { from_quantity: 2000, unit_cost: '1.2499' },
      { from_quantity: 200, unit_cost: '1.00' },
    ]
    const rule = await put({ level: 'sku', sku: 'D4', price_breaks: breaks })
    expect(rule.json.price_breaks).toEqual(breaks.toReversed())
    await until(async () => (await proposalOf('D4'))!.calculation.price_break !== undefined)
    const { quantity, unit_cost, value, calculation } = (await proposalOf('D4'))!
    expect({ quantity, unit_cost, value }).toEqual({
      ...{ quantity: 200, unit_cost: '1.00', value: '200.00' },
    })
    const { price_break, prices, rules } = calculation
    expect(price_break).toMatchObject({
      ...{ from_quantity: 200, unit_cost: '1.00', unit_cost_before: '1.25', saving: '50.00' },
    })
    expect(prices).toEqual([{ from_quantity: 0, unit_cost: '1.25' }, ...breaks.toReversed()])
    expect(rules.price_breaks).toBe('policy:sku D4')
  })

  it('bounds what a buyer may order', async () => {
    await put({ level: 'sku', sku: 'E5', maximum_order: 25 })
    await until(async () => (await proposalOf('E5'))!.quantity === 20)
    const path = `/proposals/${(await proposalOf('E5'))!.id}/approve`
    const answer = await post(path, { quantity: 30 })
    expect(errorOf(answer)).toMatchObject({ status: 422, code: 'quantity_not_orderable' })
    expect(answer.error?.details).toMatchObject([{ message: '20' }])
    expect((await post(path)).status).toBe(200)
  })

  it('gives a blocked pair the lead time that it lacks', async () => {
    const missing = async () =>
      (await get('/proposals/blocked')).json.data
        .filter(({ sku }: { sku: string }) => sku === 'blocked')
        .map((row: { missing: string }) => row.missing)
    await until(async () => (await missing()).includes('lead_time'))
    await put({ level: 'sku+location', sku: 'blocked', location: 'L1', lead_time_days: 4 })
    await until(async () => !(await missing()).includes('lead_time'))
    expect(await missing()).toEqual(['supplier'])
  })
})

interface Calculation {
  lot_size: number
  rules: Record<string, string>
}

describe('a group of SKUs', () => {
  it('is what items.csv says, and its rule fills what the ERP leaves open', async () => {
    const source = await connectFiles('groups', {
      'demand.csv': steadyDemand(['G1', 'G2'], { quantity: 30 }),
      'stock.csv': 'sku,location,on_hand\nG1,L1,1\nG2,L1,1\n',
      'planning.csv': 'sku,location,lead_time_days,lot_size\nG1,L1,5,\nG2,L1,5,4\n',
      'items.csv': 'sku,group\nG1,seasonal\nG2,seasonal\n',
    })
    await put({ level: 'group', group: 'seasonal', lot_size: 25 })
    await sync(source)
    const { json } = await get('/proposals?status=pending&location=L1&limit=200')
    const rules = json.data
      .filter(({ sku }: { sku: string }) => sku.startsWith('G') && sku !== 'G7')
      .map(({ sku, calculation }: { sku: string; calculation: Calculation }) => [
        ...[sku, calculation.lot_size, calculation.rules.lot_size],
      ])
    expect(rules.toSorted()).toEqual([
      ['G1', 25, 'policy:group seasonal'],
      ['G2', 4, 'erp'],
    ])
  })
})

describe('the calendar', () => {
  const week = { from: daysAgo(0), to: daysAgo(-6) }
  const forecastOf = async (location: string) =>
    (await get(`/forecasts?sku=D4&location=${location}&horizon=7&include_drivers=true`)).json

  it('has what is entered forecast and proposed anew, and what is removed too', async () => {
    const before = await forecastOf('L2')
    const entered = await post('/planned-events', { kind: 'closure', location: 'L2', ...week })
    expect(entered.status).toBe(201)
    expect(entered.json).toMatchObject({
      ...{ kind: 'closure', sku: null, location: 'L2', group: null, source_id: null, factor: null },
      origin: 'calendar',
      ...{ ...week, name: null, changed_by: 'approver', concerns: 8 },
    })
    await until(async () => (await forecastOf('L2')).forecast.p90 === 0)
    expect((await forecastOf('L2')).drivers).toContain('closure')
    expect((await forecastOf('L1')).forecast.p50).toBeGreaterThan(0)
    const { concerns, ...stored } = entered.json
    expect(concerns).toBe(8)
    expect((await get(`/planned-events?not_before=${daysAgo(0)}`)).json.data).toEqual([stored])
    expect((await get(`/planned-events?not_before=${daysAgo(-7)}`)).json.data).toEqual([])
    expect((await get('/planned-events?location=L1')).json.data).toEqual([])
    expect((await del(`/planned-events/${stored.id}`)).status).toBe(204)
    await until(async () => (await forecastOf('L2')).forecast.p50 === before.forecast.p50)
    expect(errorOf(await del(`/planned-events/${stored.id}`)).code).toBe('not_found')
    const entries = await SELECT.from(AuditLog)
      .columns('action', 'detail')
      .where({ object: stored.id })
      .orderBy('at')
    const said = { planKind: 'closure', firstDay: week.from, lastDay: week.to, location: 'L2' }
    const detail = JSON.stringify(said)
    expect(entries).toEqual([
      { action: 'plan.added', detail },
      { action: 'plan.removed', detail },
    ])
  })

  it.each([
    [{ kind: 'sale' }, 'kind'],
    [{ kind: 'event' }, 'factor'],
    [{ kind: 'event', factor: 101 }, 'factor'],
    [{ kind: 'event', factor: -1 }, 'factor'],
    [{ kind: 'closure', factor: 0.5 }, 'factor'],
    [{ kind: 'promotion', to: '2020-01-01' }, 'to'],
    [{ kind: 'promotion', from: '2026-02-30' }, 'from'],
    [{ kind: 'promotion', from: '1969-12-31' }, 'from'],
    [{ kind: 'promotion', sku: '' }, 'sku'],
    [{ kind: 'promotion', uplift: 2 }, 'uplift'],
  ])('refuses what cannot be: %j', async (event, target) => {
    const answer = await post('/planned-events', { ...week, ...event })
    expect(errorOf(answer)).toEqual({ status: 400, code: 'invalid_parameter', target })
  })

  it('needs the right to set rules', async () => {
    const key = await aKey({ scopes: ['forecasts:read', 'keys:manage'] })
    expect(errorOf(await get('/planned-events', { key })).code).toBe('insufficient_scope')
  })
})

describe('the risk of a proposal', () => {
  it('falls with the quantity, from none over the proposed to the asked one', async () => {
    const { json } = await get('/proposals?status=pending&limit=1')
    const { id, quantity } = json.data[0]!
    const { json: risk } = await get(`/proposals/${id}/risk?quantity=${quantity * 3}`)
    expect(risk).toMatchObject({ id, none: { quantity: 0 }, proposed: { quantity } })
    const chances = [risk.none, risk.proposed, risk.asked!].map(
      ({ stockout_probability }) => stockout_probability,
    )
    expect(chances).toEqual(chances.toSorted((a, b) => b - a))
    expect(risk.asked!.days_of_supply_p50).toBeGreaterThan(risk.proposed.days_of_supply_p50)
    expect((await get(`/proposals/${id}/risk`)).json.asked).toBeNull()
  })

  it('refuses a quantity that is none, and a proposal that is not there', async () => {
    const { id } = (await get('/proposals?limit=1')).json.data[0]!
    for (const bad of ['-1', '1.5', 'x', '']) {
      expect(errorOf(await get(`/proposals/${id}/risk?quantity=${bad}`))).toEqual({
        ...{ status: 400, code: 'invalid_parameter', target: 'quantity' },
      })
    }
    expect(errorOf(await get('/proposals/prop_999999/risk')).code).toBe('proposal_not_found')
  })
})
