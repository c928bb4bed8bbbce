// Adjusted forecasts in the buyer's app: entered on a proposal's page and in the list, shown as a difference.
import cds from '@sap/cds'
import { ForecastOverrides, Proposals } from '../../../srv/base/database/entities.ts'
import { until } from '../../support/service.ts'
import { connectFiles, daysAgo, steadyDemand, sync } from '../../support/server.ts'
import { odata, read } from './odata.ts'

const { SELECT } = cds.ql

const to = daysAgo(-27)
let source: number

beforeAll(async () => {
  const skus = ['A', 'B']
  const lines = (row: (sku: string) => string) => `${skus.map(row).join('\n')}\n`
  source = await connectFiles('adjusted', {
    'demand.csv': steadyDemand(skus, { quantity: 10, days: 200 }),
    'stock.csv': `sku,location,on_hand\n${lines((sku) => `${sku},L1,20`)}`,
    'planning.csv': `sku,location,lead_time_days,review_period_days\n${lines((sku) => `${sku},L1,14,14`)}`,
    'items.csv': `sku,group\n${lines((sku) => `${sku},TOOLS`)}`,
  })
  expect(await sync(source)).toMatchObject({ status: 'succeeded', issues: [] })
})

const proposalOf = async (sku: string) =>
  (await SELECT.one.from(Proposals).where({ source_ID: source, sku, status: 'pending' }))!

const adjust = (ID: number, body: object, as = 'buyer', language = 'en') =>
  odata('POST', `Proposals(${ID})/BuyerService.adjustForecast` as 'Proposals', {
    ...{ as, body },
    headers: { 'Accept-Language': language },
  })

const weeksOf = async (ID: number) => {
  const { json } = await read(`Proposals(${ID})/BuyerService.outlook()`)
  return json.value.filter(({ isForecast }: { isForecast?: boolean | null }) => isForecast)
}

const shownOf = async (ID: number) =>
  (await read(`Proposals(${ID})?$select=forecastAdjusted,canAdjust,rationale`)).json

describe('a buyer', () => {
  it('adjusts the forecast of a proposal, and sees it beside the forecast', async () => {
    const { ID, calculation_p50: before } = await proposalOf('A')
    expect(await shownOf(ID)).toMatchObject({ forecastAdjusted: null, canAdjust: true })
    expect((await weeksOf(ID))[0]!.demandBefore).toBeNull()
    const given = { percent: 20, units: 0, lastDay: to, reason: 'Trade fair' }
    const answer = await adjust(ID, given)
    expect(answer.status).toBe(204)
    await until(async () => (await shownOf(ID)).forecastAdjusted !== null)
    const shown = await shownOf(ID)
    expect(shown.forecastAdjusted).toMatch(
      new RegExp(`^\\+20 %: Trade fair; without that ${before} `),
    )
    expect(shown.rationale).toContain('forecast raised by 20 % by a planner: Trade fair')
    const [week] = await weeksOf(ID)
    expect(week!.demand / week!.demandBefore).toBeCloseTo(1.2, 1)
  })

  it('is told in German', async () => {
    const { ID } = await proposalOf('A')
    const headers = { 'Accept-Language': 'de' }
    const { json } = await read(`Proposals(${ID})?$select=forecastAdjusted,rationale`, { headers })
    expect(json.rationale).toContain('Prognose von der Planung um 20 % erhöht: Trade fair')
    expect(json.forecastAdjusted).toContain('ohne das')
    const refused = await adjust(
      ID,
      { percent: 5, units: 7, lastDay: to, reason: 'x' },
      'buyer',
      'de',
    )
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('entweder einen Prozentsatz')
  })

  it('adjusts its whole group too, and finds all of them on the list until they are removed', async () => {
    const { ID } = await proposalOf('B')
    await adjust(ID, {
      ...{ units: 900, percent: null, lastDay: to, reason: 'Agreed' },
      ...{ allLocations: true, wholeGroup: true },
    })
    const { json } = await read('ForecastOverrides?$orderby=ID desc&$count=true')
    expect(json.value).toMatchObject([
      {
        ...{ sku: '', location: '', skuGroup: 'TOOLS', change: 'to 900', status: 'Running' },
        ...{ canRemove: true, createdBy: 'buyer' },
      },
      { sku: 'A', location: 'L1', change: '+20 %' },
    ])
    // The app asks for the text of a SKU without the SKU.
    const { json: texts } = await read('ForecastOverrides?$select=ID,skuText&$orderby=ID desc')
    expect(texts.value).toMatchObject([{ skuText: null }, { skuText: 'A' }])
    expect((await read('ForecastOverrides/$count')).text).toBe('2')
    for (const { ID } of json.value)
      expect(
        await odata('POST', `ForecastOverrides(${ID})/BuyerService.removeOverride` as 'Proposals', {
          body: {},
        }),
      ).toMatchObject({ status: 204 })
    expect(await SELECT.from(ForecastOverrides)).toEqual([])
  })

  it('enters one in the list', async () => {
    const body = { sku: 'B', firstDay: daysAgo(-3), lastDay: to, percent: -30, reason: 'Rival' }
    const path = 'ForecastOverrides/BuyerService.addOverride' as 'ForecastOverrides'
    const { status, json } = await odata('POST', path, { body })
    expect({ status, json }).toMatchObject({
      status: 200,
      json: { change: '-30 %', status: 'Upcoming', location: '' },
    })
  })
})

it('whoever does not decide sees adjustments and makes none', async () => {
  const { ID } = await proposalOf('A')
  const body = { percent: 5, lastDay: to, reason: 'x' }
  expect((await adjust(ID, body, 'viewer')).status).toBe(403)
  const path = 'ForecastOverrides/BuyerService.addOverride' as 'ForecastOverrides'
  expect((await odata('POST', path, { as: 'viewer', body })).status).toBe(403)
  const { json } = await read('ForecastOverrides', { as: 'viewer' })
  expect(json.value).toMatchObject([{ sku: 'B', canRemove: false }])
})
