// Service against stock value, by OData and /v1.
import type { CycleOutcome } from '../../../engine/proposal/index.ts'
import { pointOf, sample } from '../../../srv/domain/proposals/explain/simulation-curve.ts'
import type { PairOutcome } from '../../../srv/domain/proposals/explain/simulation-curve.ts'
import { read } from '../buyer/odata.ts'
import { call } from '../v1/api.ts'
import { openShop, UNIT_COST } from './shop.ts'

const SIZE = 4

beforeAll(async () => {
  await openShop('simulation', SIZE)
})

const odata = async (given: object = {}, as = 'approver') => {
  const asked = {
    ...{ target: null, changeDays: 0, budget: null, by: `'abc'` },
    ...{ supplier: null, location: null, skuGroup: null },
    ...given,
  }
  const parameters = Object.entries(asked).map(([name, value]) => `${name}=${value}`)
  return read(`simulate(${parameters.join(',')})` as 'simulate()', { as })
}

it('refuses filters that leave nothing over /v1, of which a stockout would have no chance', async () => {
  const of = (query: string) => call('GET', `/simulations/service?${query}`)
  const { status, json } = await of('location=L9&supplier=V1')
  expect(status).toBe(400)
  expect((json as unknown as { error: object }).error).toMatchObject({
    ...{ code: 'invalid_parameter', target: 'supplier' },
    message: 'supplier: no SKU that you see has "V1", with location "L9"',
  })
  expect((await of('location=L9')).status).toBe(400)
  expect((await of('location=L1')).status).toBe(200)
})

it('says more service costs more stock, for all and by group', async () => {
  const { json } = await odata({ by: `'supplier'`, target: 0.95 })
  expect(json).toMatchObject({ currency: 'EUR', pairs: SIZE, simulated: SIZE, withoutCost: 0 })
  expect(json.onHandValue).toBe((SIZE * 30 * UNIT_COST).toFixed(2))
  const stocks = json.curve.map(({ stockValue }) => Number(stockValue))
  expect(stocks).toEqual(stocks.toSorted((a, b) => a - b))
  expect(json.asked).toEqual(json.curve.find(({ target }) => target === 0.95))
  expect(json.groups).toMatchObject([
    { code: 'S-1', pairs: SIZE, text: 'S-1', rules: json.rules, asked: json.asked },
  ])
  expect(json.today).toEqual(json.rules)
  expect(json.maySet).toBe(false)
})

it('needs more stock where lead times are longer, and says which target a budget pays', async () => {
  const { json } = await odata({ changeDays: 14, target: 0.9 })
  const usual = await odata({ target: 0.9 })
  expect(Number(json.asked.stockValue)).toBeGreaterThanOrEqual(Number(usual.json.asked.stockValue))
  expect(json.today).toEqual(usual.json.today)
  const between = Number(usual.json.curve.at(-2)!.stockValue) + 0.01
  const paid = await odata({ budget: between.toFixed(2), by: `'location'` })
  expect(paid.json).toMatchObject({
    budgetTarget: usual.json.curve.filter(({ stockValue }) => Number(stockValue) <= between).at(-1)!
      .target,
    groups: [{ code: 'L1', target: expect.any(Number) }],
  })
  expect(Number(paid.json.budgetSpread.stockValue)).toBeLessThanOrEqual(between)
  expect((await odata({ budget: 0.01 })).json).toMatchObject({
    ...{ budgetTarget: null, budgetPoint: null, budgetSpread: null },
  })
})

it('is for approvers and administrators, and refuses what it cannot simulate', async () => {
  expect((await odata({}, 'admin')).json.maySet).toBe(true)
  expect((await odata({}, 'buyer')).status).toBe(403)
  for (const [field, value] of [
    ['target', 0.995],
    ['target', 0.3],
    ['changeDays', 181],
    ['budget', -1],
    ['by', `'colour'`],
  ]) {
    const { status, text } = (await odata({ [String(field)]: value })) as never as {
      status: number
      text: string
    }
    expect([status, text]).toEqual([400, expect.stringContaining(String(field))])
  }
})

it('answers the same over /v1', async () => {
  const { status, json } = await call(
    'GET',
    '/simulations/service?target=0.95&lead_time_change_days=-2&by=supplier&budget=100.00',
  )
  const { json: app } = await odata({ target: 0.95, changeDays: -2, by: `'supplier'`, budget: 100 })
  expect(status).toBe(200)
  expect(json).toMatchObject({ pairs: SIZE, lead_time_change_days: -2, groups: [{ code: 'S-1' }] })
  expect(json.asked!.stock_value).toBe(app.asked.stockValue)
  expect(json.today.fill_rate).toBeCloseTo(Number(app.today.fillRate), 3)
  const bad = await call('GET', '/simulations/service?target=1.5')
  expect(bad).toMatchObject({ status: 400, error: { code: 'invalid_parameter' } })
})

describe('a sample', () => {
  const WORTH = 5_000
  const pairs = Array.from({ length: WORTH }, (_, at) => ({
    ...{ series: at, source: 1, worth: 1e6 / (1 + ((at * 7919) % WORTH)) },
  }))
  const outcome = (stock: number): CycleOutcome => ({
    ...{ stock, demand: 1, short: 0, stockoutChance: 0 },
  })
  const outcomes = (most: number) =>
    sample(pairs, most).map(
      (chosen) =>
        ({ ...chosen, unitCost: 1, own: outcome(pairs[chosen.series]!.worth) }) as PairOutcome,
    )

  it('comes as near to the whole as its standard error says', () => {
    const whole = pointOf(outcomes(WORTH), null, ({ own }) => own)
    expect(whole.stockError).toBe(0)
    const part = pointOf(outcomes(600), null, ({ own }) => own)
    expect(outcomes(600)).toHaveLength(600)
    expect(part.stockError).toBeGreaterThan(0)
    expect(Math.abs(part.stockValue - whole.stockValue)).toBeLessThan(
      3 * part.stockError + 1e-6 * whole.stockValue,
    )
    expect(part.stockError / whole.stockValue).toBeLessThan(0.01)
  })

  it('stands for all pairs together', () => {
    const stoodFor = sample(pairs, 600).reduce((sum, { weight }) => sum + weight, 0)
    expect(stoodFor).toBeCloseTo(WORTH, 6)
  })
})
