// What planners say of coming demand: beside the forecast, and in what is proposed.
import cds from '@sap/cds'
import {
  AuditLog,
  ForecastOverrides,
  Forecasts,
  Proposals,
} from '../../../srv/base/database/entities.ts'
import { until } from '../../support/service.ts'
import { connectFiles, daysAgo, steadyDemand, sync } from '../../support/server.ts'
import { aKey, del, errorOf, get, post } from './api.ts'

const { SELECT, UPDATE } = cds.ql

const SKUS = ['A', 'B', 'C']
const WEEKS = 4
const to = daysAgo(-(7 * WEEKS - 1))
const lines = (row: (sku: string) => string) => `${SKUS.map(row).join('\n')}\n`
let source: number

beforeAll(async () => {
  source = await connectFiles('overridden', {
    'demand.csv': steadyDemand(SKUS, { quantity: 10, days: 200 }),
    'stock.csv': `sku,location,on_hand\n${lines((sku) => `${sku},L1,20`)}`,
    'planning.csv': `sku,location,lead_time_days,review_period_days,supplier\n${lines((sku) => `${sku},L1,14,14,S-1`)}`,
    'items.csv': `sku,group\nA,TOOLS\nB,TOOLS\nC,TOYS\n`,
  })
  expect(await sync(source)).toMatchObject({ status: 'succeeded', issues: [] })
})

const forecastOf = async (sku: string, horizon = 28) =>
  (await get(`/forecasts?sku=${sku}&location=L1&horizon=${horizon}`)).json

const proposalOf = async (sku: string) => {
  const { json } = await get(`/proposals?status=pending&sku=${sku}`)
  return json.data[0]!
}

const quantityOf = async (sku: string) => {
  const row = await SELECT.one.from(Proposals).where({ source_ID: source, sku, status: 'pending' })
  return row?.quantity
}

describe('a forecast override', () => {
  it('stands beside the forecast, moves what is proposed, and leaves no trace once removed', async () => {
    const before = await forecastOf('A')
    const quantity = await quantityOf('A')
    expect(before).toMatchObject({ adjusted_forecast: null, overrides: [] })
    const given = { sku: 'A', location: 'L1', to, percent: 20, reason: 'Trade fair' }
    const { status, json } = await post('/forecast-overrides', given)
    expect({ status, json }).toMatchObject({
      status: 201,
      json: {
        ...{
          sku: 'A',
          location: 'L1',
          group: null,
          from: daysAgo(0),
          to,
          percent: 20,
          units: null,
        },
        ...{ reason: 'Trade fair', status: 'running', created_by: 'approver', concerns: 1 },
      },
    })
    await until(async () => (await quantityOf('A')) !== quantity)
    const after = await forecastOf('A')
    const { p50 } = before.forecast
    expect(after).toMatchObject({
      forecast: before.forecast,
      adjusted_forecast: { p50: Math.round(1.2 * p50) },
      overrides: [{ id: json.id, percent: 20, units: null, reason: 'Trade fair' }],
    })
    expect(await forecastOf('B')).toMatchObject({ adjusted_forecast: null })
    const proposal = await proposalOf('A')
    expect(proposal.rationale).toContain(
      `forecast raised by 20 % by a planner: Trade fair; P50 ${p50} without that`,
    )
    expect(proposal.calculation).toMatchObject({
      p50: Math.round(1.2 * p50),
      drivers: expect.arrayContaining(['forecast_override']) as object,
      forecast_override: {
        p50,
        changes: [{ override_id: json.id, percent: 20, units: null, reason: 'Trade fair' }],
      },
    })
    const { json: evidence } = await get(`/proposals/${proposal.id}/evidence`)
    expect(evidence.calculation.forecast_override).toMatchObject({ p50 })
    const stored = await SELECT.one.from(Forecasts)
    expect(stored!.model).not.toContain('Trade fair')
    expect((await del(`/forecast-overrides/${json.id}`)).status).toBe(204)
    await until(async () => (await quantityOf('A')) === quantity)
    expect(await forecastOf('A')).toEqual(before)
    expect(errorOf(await del(`/forecast-overrides/${json.id}`)).code).toBe('not_found')
    const entries = await SELECT.from(AuditLog).where({ object: json.id }).orderBy('at')
    expect(entries.map(({ action }) => action)).toEqual(['override.added', 'override.removed'])
    expect(entries[0]!.detail).toBe(`+20 %, ${daysAgo(0)} to ${to}, sku A, location L1: Trade fair`)
  })

  it('to a number is shared among all that it names', async () => {
    const before = await Promise.all(SKUS.map((sku) => forecastOf(sku)))
    const given = { group: 'TOOLS', to, units: 1000, reason: 'Agreed with sales' }
    const { json } = await post('/forecast-overrides', given)
    expect(json.concerns).toBe(2)
    const [a, b, c] = await Promise.all(SKUS.map((sku) => forecastOf(sku)))
    expect(a!.adjusted_forecast!.p50 + b!.adjusted_forecast!.p50).toBe(1000)
    expect(a!.adjusted_forecast!.p50).toBe(500)
    expect(c!.adjusted_forecast).toBeNull()
    await until(async () => (await proposalOf('B')).calculation.p50 === 500)
    expect((await proposalOf('B')).rationale).toContain('forecast set to 1000 by a planner')
    // What names more decides, also to leave a SKU as it is.
    const { json: own } = await post('/forecast-overrides', {
      ...{ sku: 'B', to, percent: 0, reason: 'Not at the fair' },
    })
    await until(async () => (await proposalOf('B')).calculation.p50 === before[1]!.forecast.p50)
    expect((await proposalOf('B')).rationale).not.toContain('planner')
    const { json: listed } = await get('/forecast-overrides?limit=1')
    expect(listed).toMatchObject({ data: [{ id: own.id }], has_more: true })
    for (const { id } of [json, own]) await del(`/forecast-overrides/${id}`)
    await until(async () => (await proposalOf('A')).calculation.p50 === before[0]!.forecast.p50)
  })

  it('ends by itself, stays on the list, and cannot be removed then', async () => {
    const { json } = await post('/forecast-overrides', {
      ...{ sku: 'C', from: daysAgo(-1), to, percent: -50, reason: 'Rival opens' },
    })
    expect(json.status).toBe('ahead')
    const ID = Number(json.id.slice('ovr_'.length))
    await UPDATE.entity(ForecastOverrides)
      .set({ firstDay: daysAgo(9), lastDay: daysAgo(1) })
      .where({ ID })
    await sync(source, 'full')
    expect(await forecastOf('C')).toMatchObject({ adjusted_forecast: null, overrides: [] })
    expect((await get(`/forecast-overrides/${json.id}`)).json.status).toBe('over')
    expect((await get(`/forecast-overrides?not_before=${daysAgo(0)}`)).json.data).toEqual([])
    expect((await get('/forecast-overrides?sku=C')).json.data).toHaveLength(1)
    expect(errorOf(await del(`/forecast-overrides/${json.id}`))).toMatchObject({
      ...{ status: 400, code: 'invalid_request' },
    })
  })

  it.each([
    [{ percent: 20, units: 5 }, 'percent'],
    [{}, 'percent'],
    [{ percent: -101 }, 'percent'],
    [{ percent: 901 }, 'percent'],
    [{ units: -1 }, 'units'],
    [{ percent: 5, reason: ' ' }, 'reason'],
    [{ percent: 5, reason: 'x'.repeat(201) }, 'reason'],
    [{ percent: 5, from: daysAgo(1) }, 'from'],
    [{ percent: 5, to: daysAgo(1) }, 'to'],
    [{ percent: 5, to: daysAgo(-366) }, 'to'],
    [{ percent: 5, to: undefined }, 'to'],
    [{ percent: 5, sku: '' }, 'sku'],
    [{ percent: 5, factor: 2 }, 'factor'],
  ])('refuses what cannot be: %j', async (override, target) => {
    const answer = await post('/forecast-overrides', { to, reason: 'x', ...override })
    expect(errorOf(answer)).toEqual({ status: 400, code: 'invalid_parameter', target })
  })

  it('is read with forecasts:read, and changed with policies:manage', async () => {
    const reader = await aKey({ scopes: ['forecasts:read', 'keys:manage'] })
    expect((await get('/forecast-overrides', { key: reader })).status).toBe(200)
    const given = { to, percent: 5, reason: 'x' }
    expect(errorOf(await post('/forecast-overrides', given, { key: reader })).code).toBe(
      'insufficient_scope',
    )
  })
})
