import cds from '@sap/cds'
import { ENGINE_VERSION, READABLE_ENGINES } from '../../../engine/index.ts'
import { Forecasts, Series } from '../../../srv/base/database/entities.ts'
import { noteForecastsChanged } from '../../../srv/domain/forecasts/index.ts'
import { errorOf, get, post } from './api.ts'
import { readDemand } from './demand.ts'

beforeAll(() => readDemand('forecasts'))

describe('GET /forecasts', () => {
  const at = (rest = '') => get(`/forecasts?sku=B2&location=L1${rest}`)

  it('answers whole, ordered quantiles of the demand over the horizon', async () => {
    const { status, json } = await at('&horizon=14')
    expect(status).toBe(200)
    expect(json).toMatchObject({ sku: 'B2', location: 'L1', horizon_days: 14, drivers: [] })
    const { p10, p50, p90 } = json.forecast
    expect([p10, p50, p90].every(Number.isInteger)).toBe(true)
    expect(0 <= p10 && p10 <= p50 && p50 <= p90).toBe(true)
  })

  it('takes the configured horizon when none is named', async () => {
    expect((await at()).json.horizon_days).toBe(28)
  })

  it('gives drivers when asked', async () => {
    const { json } = await at('&include_drivers=true')
    expect(json.drivers.length).toBeGreaterThan(0)
    expect(json.driver_amounts[0]!.driver).toBe('level')
    const sum = json.driver_amounts.reduce((total, { amount }) => total + amount, 0)
    expect(sum).toBe(json.forecast.p50)
    const without = { drivers: [], driver_amounts: [] }
    expect((await at('&include_drivers=false')).json).toMatchObject(without)
  })

  it.each(['0', '91', '-1', '1.5', '7.0', '07', ' 7', '1e1', 'x', ''])(
    'refuses the horizon "%s"',
    async (horizon) => {
      const answer = await at(`&horizon=${encodeURIComponent(horizon)}`)
      const expected = { status: 400, code: 'invalid_parameter', target: 'horizon' }
      expect(errorOf(answer)).toEqual(expected)
    },
  )

  it('takes the horizons 1 and 90', async () => {
    expect((await at('&horizon=1')).json.horizon_days).toBe(1)
    expect((await at('&horizon=90')).json.horizon_days).toBe(90)
  })

  it.each(['"; DROP TABLE x', '../../x', '😀', '%', "' or 1=1 --", 'b2'])(
    'knows no SKU %s',
    async (sku) => {
      const answer = await get(`/forecasts?sku=${encodeURIComponent(sku)}&location=L1`)
      expect(errorOf(answer)).toEqual({ status: 404, code: 'forecast_not_found' })
    },
  )

  it('finds a SKU whose name needs escaping', async () => {
    const { json } = await get('/forecasts?sku=%3DA1&location=L2')
    expect(json.sku).toBe('=A1')
  })

  it('asks for patience while a series is not forecast yet', async () => {
    const series = { ID: 999_001, source_ID: 1, sku: 'fresh', location: 'L1' }
    await cds.ql.INSERT.into(Series).entries(series)
    const answer = await get('/forecasts?sku=fresh&location=L1')
    expect(errorOf(answer)).toEqual({ status: 503, code: 'forecast_not_ready' })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it.each([
    ['of the same shape, until they are made anew', `${READABLE_ENGINES}999`, 200],
    ['of another shape: they wait', '0.0.1', 503],
  ])('answers by forecasts of another engine %s', async (_, engineVersion, expected) => {
    const made = (by: string) =>
      cds.tx(async () => {
        await cds.ql.UPDATE.entity(Forecasts).set({ engineVersion: by })
        await noteForecastsChanged()
      })
    const status = async () => (await get('/forecasts?sku=%3DA1&location=L2')).status
    expect(await status()).toBe(200)
    await made(engineVersion)
    expect(await status()).toBe(expected)
    await made(ENGINE_VERSION)
    expect(await status()).toBe(200)
  })
})

describe('POST /forecasts/batch', () => {
  const batch = (body: unknown) => post('/forecasts/batch', body)

  it('answers each item on its own, in the order asked', async () => {
    const good = { sku: 'B2', location: 'L1' }
    const { status, json } = await batch({
      items: [good, { sku: '?', location: 'L1' }, good, 7, null, [], { sku: 'B2' }]
        .concat([{ ...good, colour: 'red' } as never])
        .concat([{ sku: 5, location: 'L1' } as never]),
      horizon: 7,
    })
    expect(status).toBe(200)
    expect(json.summary).toEqual({ requested: 9, succeeded: 2, failed: 7 })
    const seen = json.results.map((result) => [
      ...[result.index, result.sku, result.location],
      'error' in result ? result.error.code : 'ok',
    ])
    expect(seen).toEqual([
      [0, 'B2', 'L1', 'ok'],
      [1, '?', 'L1', 'forecast_not_found'],
      [2, 'B2', 'L1', 'ok'],
      [3, null, null, 'invalid_parameter'],
      [4, null, null, 'invalid_parameter'],
      [5, null, null, 'invalid_parameter'],
      [6, 'B2', null, 'invalid_parameter'],
      [7, 'B2', 'L1', 'invalid_parameter'],
      [8, null, 'L1', 'invalid_parameter'],
    ])
  })

  it('says of each pair what the single lookup says', async () => {
    const { json } = await batch({
      items: [{ sku: 'C3', location: 'L2' }],
      horizon: 30,
      include_drivers: true,
    })
    const single = await get('/forecasts?sku=C3&location=L2&horizon=30&include_drivers=true')
    expect(json.results[0]).toMatchObject({ forecast: single.json })
  })

  it('takes 1,000 items and no more, and not none', async () => {
    const items = Array.from({ length: 1001 }, () => ({ sku: 'B2', location: 'L1' }))
    expect((await batch({ items: items.slice(1) })).json.summary.succeeded).toBe(1000)
    expect(errorOf(await batch({ items }))).toMatchObject({ status: 400, code: 'batch_too_large' })
    expect(errorOf(await batch({ items: [] }))).toMatchObject({ code: 'invalid_request' })
  })

  it.each([
    [{}, 'items'],
    [{ items: 'x' }, 'items'],
    [{ items: [{}], horizon: '7' }, 'horizon'],
    [{ items: [{}], horizon: 0 }, 'horizon'],
    [{ items: [{}], include_drivers: 'true' }, 'include_drivers'],
    [{ items: [{}], colour: 'red' }, 'colour'],
  ])('refuses %j', async (body, target) => {
    const expected = { status: 400, code: 'invalid_parameter', target }
    expect(errorOf(await batch(body))).toEqual(expected)
  })
})
