import cds from '@sap/cds'
import { Proposals } from '../../../srv/base/database/entities.ts'
import { aKey, errorOf, get } from './api.ts'
import { LOCATIONS, readDemand, SKUS } from './demand.ts'

const { DELETE, INSERT, SELECT, UPDATE } = cds.ql

beforeAll(() => readDemand('budget'))

const ALL = SKUS.length * LOCATIONS.length
const [MOQ, LOT] = [20, 10]
const cents = (money: string | null) => Math.round(Number(money) * 100)
const sumOf = (money: (string | null)[]) => money.reduce((sum, each) => sum + cents(each), 0)
const pending = async () => (await get('/proposals?status=pending&limit=200')).json.data

describe('GET /proposals/budget', () => {
  it('spends money on what protects most for it, in whole lots, and decides nothing', async () => {
    const before = await pending()
    const proposals = new Map(before.map((proposal) => [proposal.id, proposal]))
    const whole = sumOf(before.map(({ value }) => value))
    const budget = (whole / 200).toFixed(2)
    const { json } = await get(`/proposals/budget?supplier=S1&budget=${budget}`)
    expect(json.data.length).toBeGreaterThan(1)
    expect(json.data.length + json.not_taken.lines).toBe(ALL)
    expect(cents(json.value) + cents(json.left_value)).toBe(cents(budget))
    expect(cents(json.value) + cents(json.not_taken.value)).toBe(whole)
    expect(cents(json.left_value)).toBeLessThan(MOQ * 125)
    expect(json).toMatchObject({ currency: 'EUR', left_units: null })
    expect(json.units).toBe(json.data.reduce((sum, { quantity }) => sum + quantity, 0))
    for (const { id, quantity, proposed_quantity, value, value_at_risk } of json.data) {
      const proposal = proposals.get(id)!
      expect(proposed_quantity).toBe(proposal.quantity)
      expect(cents(value)).toBe(quantity * 125)
      const risk = (cents(proposal.value_at_risk) * quantity) / proposal.quantity
      expect(Math.abs(cents(value_at_risk) - risk)).toBeLessThanOrEqual(0.5)
      if (quantity === proposed_quantity) continue
      expect([quantity % LOT, quantity >= MOQ]).toEqual([0, true])
    }
    const rates = json.data.map(({ id }) => {
      const { value, value_at_risk } = proposals.get(id)!
      return cents(value_at_risk) / cents(value)
    })
    expect(rates).toEqual(rates.toSorted((a, b) => b - a))
    expect(await pending()).toEqual(before)
  })

  it('fills units, and takes all where there is enough', async () => {
    const { json: some } = await get('/proposals/budget?units=45')
    expect(some).toMatchObject({ units: 40, left_units: 5, left_value: null })
    const { json: all } = await get('/proposals/budget?units=999999999&budget=1000000')
    expect(all.data).toHaveLength(ALL)
    expect(all.not_taken).toEqual({ lines: 0, value: '0.00', value_at_risk: '0.00' })
  })

  it('knows suppliers and locations', async () => {
    const { json } = await get('/proposals/budget?units=999999&location=L1')
    expect(new Set(json.data.map(({ location }) => location))).toEqual(new Set(['L1']))
    expect((await get('/proposals/budget?supplier=S2&budget=5')).json).toEqual({
      ...{
        data: [],
        value: '0.00',
        units: 0,
        currency: null,
        left_value: '5.00',
        left_units: null,
      },
      not_taken: { lines: 0, value: '0.00', value_at_risk: '0.00' },
      left_out: { other_currency: 0, without_cost: 0 },
    })
  })

  it.each([
    ['', 'budget'],
    ['supplier=S1', 'budget'],
    ['budget=-1', 'budget'],
    ['budget=1e3', 'budget'],
    ['budget=1&budget=2', 'budget'],
    ['units=1.5', 'units'],
    ['units=1000000000', 'units'],
    ['units=1&currency=eur', 'currency'],
    ['units=1&supplier=', 'supplier'],
    ['units=1&colour=red', 'colour'],
  ])('refuses "%s" and names %s', async (query, target) => {
    const answer = await get(`/proposals/budget?${query}`)
    expect(errorOf(answer)).toEqual({ status: 400, code: 'invalid_parameter', target })
  })

  it('needs the scope of proposals', async () => {
    const key = await aKey({ scopes: ['forecasts:read'] })
    const answer = await get('/proposals/budget?units=1', { key })
    expect(errorOf(answer)).toEqual({ status: 403, code: 'insufficient_scope' })
  })

  it('never adds up currencies, and leaves out what has no cost', async () => {
    await UPDATE.entity(Proposals).set({ currency: 'USD' }).where({ location: 'L2' })
    await UPDATE.entity(Proposals).set({ unitCost: null }).where({ location: 'L1', sku: 'B2' })
    const several = await get('/proposals/budget?budget=1000000')
    expect(errorOf(several)).toEqual({ status: 400, code: 'invalid_parameter', target: 'currency' })
    expect(several.error!.message).toContain('EUR, USD')
    const { json } = await get('/proposals/budget?budget=1000000&currency=EUR')
    expect(json.data).toHaveLength(SKUS.length - 1)
    expect(json.currency).toBe('EUR')
    expect(json.left_out).toEqual({ other_currency: SKUS.length, without_cost: 1 })
    const there = await get('/proposals/budget?budget=1000000&location=L2')
    expect(there.json).toMatchObject({ currency: 'USD', left_out: { other_currency: 0 } })
    await UPDATE.entity(Proposals)
      .set({ currency: 'EUR', unitCost: 1.25 })
      .where({ supplier: 'S1' })
  })

  it('weighs neither transfers nor what is decided', async () => {
    const [transfer, approved] = await SELECT.from(Proposals).columns('ID').where({ sku: 'C3' })
    await UPDATE.entity(Proposals).set({ kind: 'transfer' }).where({ ID: transfer!.ID })
    await UPDATE.entity(Proposals).set({ status: 'approved' }).where({ ID: approved!.ID })
    const { json } = await get('/proposals/budget?units=999999')
    expect(json.data).toHaveLength(ALL - 2)
  })

  it('refuses to weigh more than 10,000', async () => {
    const row = {
      ...{
        source_ID: 1,
        sku: 'many',
        location: 'L1',
        supplier: 'MANY',
        quantity: 1,
        urgencyRank: 3,
      },
      ...{ status: 'pending' as const, unitCost: 1, currency: 'EUR', valueAtRisk: 1 },
      ...{ calculation_moq: 1, calculation_lotSize: 1 },
    }
    const rows = Array.from({ length: 10_001 }, (_, at) => ({ ...row, ID: 5_000_000 + at }))
    await INSERT.into(Proposals).entries(rows)
    const refused = { status: 400, code: 'invalid_parameter' }
    const call = (query: string) => get(`/proposals/budget?budget=7${query}`)
    expect(errorOf(await call(''))).toEqual({ ...refused, target: 'supplier' })
    expect(errorOf(await call('&supplier=MANY'))).toEqual({ ...refused, target: 'location' })
    await DELETE.from(Proposals).where({ ID: 5_000_000 })
    const { json } = await call('&supplier=MANY')
    expect([json.units, json.left_value, json.not_taken.lines]).toEqual([7, '0.00', 9993])
    await DELETE.from(Proposals).where({ supplier: 'MANY' })
  })
})
