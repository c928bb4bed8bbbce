// Every item is found, ordered or not, and says why.
import cds from '@sap/cds'
import { Proposals, Series } from '../../../srv/base/database/entities.ts'
import { connectFiles, daysAgo, steadyDemand, sync } from '../../support/server.ts'
import { get } from '../v1/api.ts'
import { decide, odata, read } from './odata.ts'

const { SELECT, UPDATE } = cds.ql

const SKUS = ['needed', 'plenty', 'gone', 'later', 'untold', 'refused']
const HELD: Record<string, number> = { plenty: 900 }

let source: number
beforeAll(async () => {
  source = await connectFiles('items', {
    'demand.csv': steadyDemand(SKUS),
    'items.csv': `sku,name,phase_out_on\n${SKUS.map((sku) => `${sku},${sku === 'plenty' ? 'Assam' : 'Tea'},${{ gone: daysAgo(1), later: daysAgo(-5) }[sku] ?? ''}`).join('\n')}\n`,
    'stock.csv': `sku,location,on_hand\n${SKUS.map((sku) => `${sku},L1,${HELD[sku] ?? 5}`).join('\n')}\n`,
    'planning.csv': `sku,location,lead_time_days,unit_cost,currency,supplier\n${SKUS.filter(
      (sku) => sku !== 'untold',
    )
      .map((sku) => `${sku},L1,7,3.00,EUR,S-1`)
      .join('\n')}\n`,
  })
  expect(await sync(source)).toMatchObject({ status: 'succeeded' })
})

const one = async (sku: string, language = 'en') => {
  const query = `$filter=source eq ${source} and sku eq '${sku}'&$select=ID,stateText,why,change,proposal,proposalHref,enoughUntil`
  const { json } = await read(`Items?${query}`, { headers: { 'Accept-Language': language } })
  return json.value[0]!
}

it.each([
  ['needed', 'Proposed', /^An order of \d+ is proposed \(prop_\d+\), to be placed by /, null],
  [
    'plenty',
    'Enough',
    /^Enough .* 900 on hand, on order and approved, against \d+ /,
    /once \d+ more are sold/,
  ],
  [
    'gone',
    'Phased out',
    /^Phased out on .*: nothing of it is bought any more\.$/,
    /later day of phase-out/,
  ],
  [
    'later',
    'Phased out before an order arrives',
    /before an order would arrive \(7 days\)/,
    /later day/,
  ],
  ['untold', 'Blocked', /^No lead time is known\. Maintain it in the ERP/, null],
])('says of %s: %s', async (sku, state, why, change) => {
  const item = await one(sku)
  expect(item.stateText).toBe(state)
  expect(item.why).toMatch(why)
  if (change) expect(item.change).toMatch(change)
  else expect(item.change).toBeNull()
})

it('leads to the proposal, and says who rejected one and when it comes again', async () => {
  const { proposal, proposalHref } = await one('refused')
  expect(proposalHref).toBe(`#/Proposals(${proposal})`)
  await decide(proposal, 'decline', { reason: 'too_much' })
  expect(await one('refused')).toMatchObject({
    ...{ stateText: 'Rejected', proposal },
    why: expect.stringMatching(/was rejected on .* by buyer\.$/),
    change: expect.stringMatching(/moved by more than 20 %/),
  })
})

it('speaks German', async () => {
  const { stateText, why } = await one('plenty', 'de')
  expect(stateText).toBe('Genug')
  expect(why).toMatch(/^Genug .* 900 vorrätig, bestellt und freigegeben/)
})

it('is found by code and name, and counted', async () => {
  const found = async (words: string) =>
    (await read(`Items?$search=${encodeURIComponent(words)}&$select=sku`)).json.value.map(
      ({ sku }) => sku,
    )
  expect(await found('plenty')).toEqual(['plenty'])
  expect(await found('assam')).toEqual(['plenty'])
})

it('has the chart and the sum of an item that is not ordered', async () => {
  const { ID } = await one('plenty')
  const of = (name: string) =>
    odata('GET', `Items(${ID})/BuyerService.${name}()` as 'Items(1)/BuyerService.outlook()')
  const { json: weeks } = await of('outlook')
  expect(weeks.value.filter(({ isForecast }) => isForecast)).toHaveLength(12)
  const month = `Items(${ID})/BuyerService.outlook(weeks=4)` as 'Items(1)/BuyerService.outlook()'
  expect((await odata('GET', month)).json.value).toHaveLength(16)
  const { json: lines } = (await of('calculation')) as unknown as {
    json: { value: { termText: string; value: number }[] }
  }
  expect(lines.value.at(-1)!.value).toBe(0)
  expect(lines.value.length).toBeGreaterThan(3)
})

it('hides items of other locations, their chart and sum too', async () => {
  const { ID } = await one('plenty')
  const { users } = cds.env.requires.auth as unknown as { users: Record<string, { attr: object }> }
  Object.assign(users.viewer!, { attr: { locations: ['nowhere'] } })
  try {
    expect((await read('Items?$select=sku', { as: 'viewer' })).json.value).toEqual([])
    const chart = `Items(${ID})/BuyerService.outlook()` as 'Items(1)/BuyerService.outlook()'
    expect((await odata('GET', chart, { as: 'viewer' })).status).toBe(404)
  } finally {
    Object.assign(users.viewer!, { attr: {} })
  }
})

it('are a list of the API with the sum and how long it is enough', async () => {
  const { json } = await get('/items?sku=plenty')
  expect(json.data).toHaveLength(1)
  expect(json.data[0]).toMatchObject({
    ...{ sku: 'plenty', location: 'L1', state: 'enough', proposal_id: null },
    calculation: { quantity: 0, on_hand: 900 },
  })
  expect(json.data[0]!.slack).toBeGreaterThan(700)
  expect((await get('/items?sku=nothing-such')).json.data).toEqual([])
  const all = await SELECT.from(Series).columns('ID')
  const first = (await get('/items?limit=2')).json
  expect(first.data).toHaveLength(2)
  expect(first.has_more).toBe(all.length > 2)
})

it('says that the next sync proposes what is needed and not proposed', async () => {
  const { proposal } = await one('needed')
  await UPDATE.entity(Proposals).set({ status: 'superseded' }).where({ ID: proposal })
  expect(await one('needed')).toMatchObject({
    ...{ stateText: 'With the next sync', proposal: null },
  })
})
