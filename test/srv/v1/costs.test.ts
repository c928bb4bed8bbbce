// Costs: the question to a newcomer, what they buy, setting them in a planner's words, and the ratio of the past year.
import cds from '@sap/cds'
import { live, makeCompany } from '../../engine/inventory/companies.ts'
import { AuditLog } from '../../../srv/base/database/entities.ts'
import { recomputeProposals } from '../../../srv/domain/proposals/policy/rules.ts'
import { until } from '../../support/service.ts'
import { connectFiles, daysAgo, sync } from '../../support/server.ts'
import { odata, read } from '../buyer/odata.ts'
import { aKey, call, del, errorOf, get, post } from './api.ts'

const { SELECT } = cds.ql

const WEEKS = 8
const PAIRS = 60
const DAYS = 365

/** A company of two groups of which the first keeps its stock by 8 : 1; the second has no receipts. */
function filesOf() {
  const company = makeCompany(7, WEEKS, PAIRS)
  const skus = company.pairs.map((_, at) => `S${String(at).padStart(2, '0')}`)
  const [demand, stock, receipts] = [[] as string[], [] as string[], [] as string[]]
  const now = new Map<string, number>()
  live(company, 11, (pair, { day, sold, onHand, received }) => {
    const [sku, date] = [skus[pair]!, daysAgo(DAYS - day)]
    if (sold || day === 0) demand.push(`${sku},L1,${date},${Math.max(sold, day === 0 ? 1 : 0)}`)
    stock.push(`${sku},L1,${date},${onHand}`)
    if (received && pair % 2 === 0) {
      receipts.push(`O${pair}-${day},1,${sku},L1,${date},${received}`)
    }
    now.set(sku, onHand)
  })
  const of = (header: string, rows: string[]) => `${header}\n${rows.join('\n')}\n`
  return {
    'demand.csv': of('sku,location,date,quantity', demand),
    'stock_history.csv': of('sku,location,date,on_hand', stock),
    'receipts.csv': of('order,line,sku,location,received_on,quantity', receipts),
    'stock.csv': of(
      'sku,location,on_hand',
      skus.map((sku) => `${sku},L1,${now.get(sku)}`),
    ),
    'planning.csv': of(
      'sku,location,lead_time_days,supplier,unit_cost,currency',
      skus.map((sku, at) => `${sku},L1,${company.pairs[at]!.leadTime},V1,4.00,EUR`),
    ),
    'items.csv': of(
      'sku,group',
      skus.map((sku, at) => `${sku},${at % 2 ? 'second' : 'first'}`),
    ),
  }
}

beforeAll(async () => {
  const source = await connectFiles('costs', filesOf())
  expect(await sync(source)).toMatchObject({ status: 'succeeded' })
}, 120_000)

const setInApp = (body: object, as: string) => odata('POST', 'setCosts', { body, as })
const removeRule = () => del('/policies?level=default')
const listed = async () => (await get('/proposals?status=pending&limit=200')).json

describe('a newcomer', () => {
  it('is told with the first proposals what the shipped costs assume, in /v1 and on Today', async () => {
    const { costs_question, data } = await listed()
    expect(data.length).toBeGreaterThan(0)
    expect(costs_question).toBe(
      'Nobody has said yet what a stockout costs. As shipped, a unit short costs as much as carrying one for 83 weeks.',
    )
    expect((await read('home()', { as: 'buyer' })).json.costsQuestion).toBe(costs_question)
  })

  it('sees the service and stock that they buy on these data, by class and by group', async () => {
    const { json } = await get('/costs?by=group')
    expect(json).toMatchObject({
      ...{ is_set: false, question: expect.any(String), currency: 'EUR', pairs: PAIRS },
      costs: { stockout_cost_share: 0.4, carrying_cost_share_per_year: 0.25, weeks: 83.4 },
    })
    expect(json.costs).toMatchObject({ unmet_demand: 'backordered', from: 'configured' })
    expect(json.groups.map(({ code }) => code).toSorted()).toEqual(['first', 'second'])
    const sum = json.groups.reduce((total, { buys }) => total + Number(buys.stock_value), 0)
    expect(sum).toBeCloseTo(Number(json.buys.stock_value), 1)
    const classes = await get('/costs')
    expect(classes.json.groups.map(({ code }) => code)).toEqual(expect.arrayContaining(['A', 'C']))
    expect(classes.json.groups[0]!.costs).toMatchObject({ from: 'configured', weeks: 83.4 })
    const { json: app } = await read(`costs(by='group')` as 'costs()', { as: 'viewer' })
    expect(app).toMatchObject({ isSet: false, maySet: false, pairs: PAIRS })
    expect(app.buys.stockValue).toBe(json.buys.stock_value)
  })
})

describe('the words of a planner', () => {
  it.each([
    [
      { unmet_demand: 'lost', margin_percent: 30, storage_percent: 8, interest_percent: 6 },
      { stockout_cost_share: 0.4286, carrying_cost_share_per_year: 0.14, unmet_demand: 'lost' },
      ['30 / (100 − 30)', '(8 + 6) / 100', '0.4286 / 0.14 · 365 / 7'],
    ],
    [
      { unmet_demand: 'backordered', margin_percent: 20, late_percent: 4 },
      { stockout_cost_share: 0.05, carrying_cost_share_per_year: 0.25 },
      ['4 / (100 − 20)', '', '0.05 / 0.25 · 365 / 7'],
    ],
    [
      { short_per_unit: 1, write_off_percent: 50, write_off_after_days: 730 },
      { stockout_cost_share: 0.25, carrying_cost_share_per_year: 0.25 },
      ['1 / 4', '(50 · 365 / 730) / 100', '0.25 / 0.25 · 365 / 7'],
    ],
    [
      { weeks: 12, interest_percent: 10 },
      { stockout_cost_share: 0.023, weeks: 12 },
      ['12 · 7 / 365 · 0.1', '(10) / 100', '0.023 / 0.1 · 365 / 7'],
    ],
  ])('become costs by arithmetic that is shown: %j', async (body, after, formulas) => {
    const { status, json } = await post('/costs/preview', body)
    expect(status).toBe(200)
    expect(json.after).toMatchObject(after)
    expect(json.steps.map(({ formula }) => formula)).toEqual(formulas)
    expect(json.before.from).toBe('configured')
  })

  it.each([
    [{}, 'weeks'],
    [{ margin_percent: 30 }, 'late_percent'],
    [{ unmet_demand: 'lost', late_percent: 5 }, 'margin_percent'],
    [{ unmet_demand: 'lost', margin_percent: 30, late_percent: 5 }, 'late_percent'],
    [{ weeks: 5, short_per_unit: 2 }, 'weeks'],
    [{ write_off_percent: 5 }, 'write_off_after_days'],
    [{ margin_percent: 100 }, 'margin_percent'],
    [{ weeks: -1 }, 'weeks'],
    [{ colour: 'red' }, 'colour'],
  ])('are refused where they make no sense: %j', async (body, target) => {
    for (const answer of [
      await post('/costs/preview', body),
      await call('PUT', '/costs', { body }),
    ]) {
      expect(errorOf(answer)).toEqual({ status: 400, code: 'invalid_parameter', target })
    }
  })

  it('say before they are set what they would buy: less stock for less service', async () => {
    const { json } = await post('/costs/preview', { weeks: 5 })
    expect(json.pairs).toBe(PAIRS)
    expect(Number(json.then.stock_value)).toBeLessThan(Number(json.now.stock_value))
    expect(json.then.fill_rate!).toBeLessThan(json.now.fill_rate!)
    expect((await get('/costs')).json.is_set).toBe(false)
  })

  it('change target, list and simulation once set, and the audit trail says who', async () => {
    const before = (await get('/costs')).json.buys
    const preview = (await post('/costs/preview', { weeks: 5 })).json
    const targets = async () =>
      (await listed()).data.map(({ calculation }) => calculation.target_quantile)
    const old = Math.max(...(await targets()))
    expect((await setInApp({ weeks: 5 }, 'buyer')).status).toBe(403)
    const set = await call('PUT', '/costs', { body: { weeks: 5 } })
    expect(set.json).toMatchObject({ costs: { from: 'policy:default', weeks: 5 } })
    await until(async () => Math.max(...(await targets())) < old)
    await until(async () =>
      (await listed()).data.every(
        ({ calculation: { rules } }) => rules.stockout_cost === 'policy:default',
      ),
    )
    const { json } = await get('/costs')
    expect(json).toMatchObject({ is_set: true, question: null, costs: { weeks: 5 } })
    expect(json.buys).toEqual(preview.then)
    expect(Number(json.buys.stock_value)).toBeLessThan(Number(before.stock_value))
    expect(await listed()).not.toHaveProperty('costs_question')
    expect((await read('home()', { as: 'buyer' })).json.costsQuestion).toBeNull()
    const [entry] = await SELECT.from(AuditLog).where({ action: 'policy.set', object: 'default' })
    expect(entry).toMatchObject({ actor: 'approver' })
    expect(entry!.detail).toMatch(/^nothing → .*"stockoutCostShare":0\.024/)
    await removeRule()
  })

  it('hold for a group alone, and leave the rest of its rule as it is', async () => {
    const body = { level: 'group', group: 'first', target_quantile: 0.9, lot_size: 3 }
    await call('PUT', '/policies', { body })
    await call('PUT', '/costs', { body: { sku_group: 'first', weeks: 5, unmet_demand: 'lost' } })
    const { json } = await get('/policies?level=group')
    expect(json.data).toMatchObject([
      { group: 'first', lot_size: 3, target_quantile: null, unmet_demand: 'lost' },
    ])
    const { groups, is_set } = (await get('/costs?by=group')).json
    expect(is_set).toBe(false)
    expect(groups.find(({ code }) => code === 'first')!.costs).toMatchObject({
      ...{ from: 'policy:group first', weeks: 5, unmet_demand: 'lost' },
    })
    await del('/policies?level=group&group=first')
  })

  it('hold for an ABC class where the group has none of its own, and change list and simulation', async () => {
    const { json: page } = await get('/proposals?status=pending&abc_class=A&limit=200')
    expect(page.data.length).toBeGreaterThan(0)
    expect(new Set(page.data.map(({ abc_class }) => abc_class))).toEqual(new Set(['A']))
    const inForce = async () =>
      new Set(
        (await listed()).data.map(
          ({ abc_class, sku, calculation: { rules } }) =>
            `${abc_class} ${Number(sku.slice(1)) % 2 ? 'second' : 'first'} ${rules.stockout_cost}`,
        ),
      )
    await call('PUT', '/costs', { body: { sku_group: 'first', weeks: 20 } })
    const preview = (await post('/costs/preview', { abc_class: 'A', weeks: 5 })).json
    expect(preview).toMatchObject({ abc_class: 'A', sku_group: null })
    const set = await call('PUT', '/costs', { body: { abc_class: 'A', weeks: 5 } })
    expect(set.json).toMatchObject({ abc_class: 'A', costs: { from: 'policy:class A', weeks: 5 } })
    await until(async () => (await inForce()).has('A second policy:class A'))
    await until(async () => !(await inForce()).has('A second configured'))
    const found = await inForce()
    expect(found).toContain('A first policy:group first')
    expect(found).not.toContain('A first policy:class A')
    for (const each of found) if (!each.startsWith('A')) expect(each).not.toContain('class A')
    const { json } = await get('/costs')
    const [a, b] = ['A', 'B'].map((code) => json.groups.find((group) => group.code === code)!)
    expect(a!.costs).toMatchObject({ from: 'policy:class A', weeks: 5 })
    expect(b!.costs).toMatchObject({ from: 'configured' })
    expect(a!.buys.stock_value).toBe(preview.then.stock_value)
    const [entry] = await SELECT.from(AuditLog).where({ action: 'policy.set', object: 'class A' })
    expect(entry).toMatchObject({ actor: 'approver' })
    const { json: rules } = await get('/policies?level=class_a')
    expect(rules.data).toMatchObject([{ level: 'class_a', group: null }])
    expect((await del('/policies?level=class_a')).status).toBe(204)
    expect((await del('/policies?level=group&group=first')).status).toBe(204)
  })

  it('are of a group or of a class, and a class has no other values', async () => {
    const both = await call('PUT', '/costs', {
      body: { sku_group: 'first', abc_class: 'A', weeks: 5 },
    })
    expect(errorOf(both)).toEqual({ status: 400, code: 'invalid_parameter', target: 'abc_class' })
    const named = await call('PUT', '/costs', { body: { abc_class: 'D', weeks: 5 } })
    expect(errorOf(named)).toMatchObject({ status: 400, target: 'abc_class' })
    const other = await call('PUT', '/policies', { body: { level: 'class_b', lot_size: 3 } })
    expect(errorOf(other)).toEqual({ status: 400, code: 'invalid_parameter', target: 'lot_size' })
  })

  it('are set of a class from the app', async () => {
    const set = await setInApp({ abcClass: 'C', weeks: 4 }, 'admin')
    expect(set.json).toMatchObject({ weeks: 4 })
    const { json: app } = await read(`costs(by='abc')` as 'costs()', { as: 'viewer' })
    expect(app.groups.map(({ text }) => text).slice(0, 2)).toEqual([
      'A: 80 % of the value of demand',
      'B: the next 15 %',
    ])
    expect((await del('/policies?level=class_c')).status).toBe(204)
  })

  it('are set from the app by an administrator', async () => {
    const set = await setInApp({ unmetDemand: 'lost', marginPercent: 50 }, 'admin')
    expect(set.json).toMatchObject({ stockoutCostShare: 1, unmetDemand: 'lost' })
    await removeRule()
  })

  it('need the right to set rules', async () => {
    const key = await aKey({ scopes: ['proposals:read', 'keys:manage'] })
    expect((await call('PUT', '/costs', { key, body: { weeks: 5 } })).status).toBe(403)
    const ruler = await aKey({ scopes: ['policies:manage', 'keys:manage'] })
    expect((await call('PUT', '/costs', { key: ruler, body: {} })).status).toBe(400)
  })
})

describe('the past year', () => {
  it('tells the ratio that the company acted by within a third, and why it cannot be told of a group', async () => {
    const { status, json } = await get('/costs/past?by=group')
    expect(status).toBe(200)
    const { all, groups } = json
    expect(Math.abs(all.weeks! / WEEKS - 1)).toBeLessThan(1 / 3)
    expect(all.low!).toBeLessThan(all.weeks!)
    expect(all.high!).toBeGreaterThan(all.weeks!)
    const of = (code: string) => groups.find((group) => group.code === code)!
    expect(of('first').found_from!.pairs).toBe(PAIRS / 2)
    expect(of('second')).toMatchObject({ weeks: null, found_from: null, reason: 'no_orders' })
    expect((await get('/costs')).json.is_set).toBe(false)
  })

  it('is told by class, and in the app', async () => {
    const { json } = await get('/costs/past')
    expect(json.groups.map(({ code }) => code)).toEqual(['A', 'B', 'C'])
    const { json: app } = await read(`pastCosts(by='abc')` as 'pastCosts()', { as: 'buyer' })
    expect(app.ratios[0]).toMatchObject({ weeks: json.all.weeks, text: 'All items' })
  })
})

describe('the last lot', () => {
  it('says its chance, what it saves and what it costs, and the sums add up', async () => {
    // What the tests before set and removed may still be calculated.
    await recomputeProposals({})
    for (const { id } of (await listed()).data.slice(0, 5)) {
      const { quantity, unit_cost, calculation } = (await get(`/proposals/${id}`)).json
      const lot = calculation.last_lot!
      expect(lot.units).toBeLessThanOrEqual(quantity)
      const saving = lot.units * lot.chance * lot.stockout_cost_share * Number(unit_cost)
      expect(Number(lot.saving)).toBeCloseTo(saving, 1)
      const kept = (lot.carrying_cost_share_per_year * lot.days) / 365
      expect(Number(lot.carrying_cost)).toBeCloseTo(
        lot.units * lot.on_shelf * kept * Number(unit_cost),
        1,
      )
      const { json } = await get(`/proposals/${id}/evidence`)
      expect(json.calculation.last_lot).toEqual(lot)
      const ID = id.replace('prop_', '')
      const { json: page } = await read(`Proposals(${ID})/formula` as 'Proposals(1)/formula')
      expect(page.value.at(-1)!.how).toContain(`Last lot of ${lot.units}: with `)
    }
  })
})
