// What came of former decisions, as a proposal's page lists them.
import cds from '@sap/cds'
import { Proposals, Series, Stockouts } from '../../../srv/base/database/entities.ts'
import { connectFiles, daysAgo, steadyDemand, sync } from '../../support/server.ts'
import { decide, read } from './odata.ts'

const { INSERT, SELECT, UPDATE } = cds.ql

let ID: number

beforeAll(async () => {
  const source = await connectFiles('came', {
    'demand.csv': steadyDemand(['A'], { quantity: 10, days: 200 }),
    'stock.csv': 'sku,location,on_hand\nA,L1,20\n',
    'items.csv': 'sku,unit_cost,currency\nA,1.00,EUR\n',
    'planning.csv': 'sku,location,lead_time_days,review_period_days\nA,L1,14,14\n',
  })
  expect(await sync(source)).toMatchObject({ status: 'succeeded', issues: [] })
  const proposal = await SELECT.one.from(Proposals).where({ source_ID: source, status: 'pending' })
  ID = proposal!.ID!
  expect((await decide(ID, 'approve')).status).toBeLessThan(300)
})

/** As if it had been calculated so many days ago. */
const age = (days: number, horizonDays: number) =>
  UPDATE.entity(Proposals)
    .set({
      ...{ asOf: daysAgo(days), calculation_horizonDays: horizonDays },
      ...{ calculation_p10: 130, calculation_p50: 140, calculation_p90: 150 },
    } as never)
    .where({ ID })

const whatCame = async (language = 'en') => {
  const headers = { 'Accept-Language': language }
  const { json } = await read(`Decisions?$select=ID,whatCame&$filter=ID eq ${ID}`, { headers })
  return json.value[0]!.whatCame
}

it('says nothing before the first of its days is over', async () => {
  expect(await whatCame()).toBeNull()
})

it('says what was asked for since, beside the forecast', async () => {
  await age(9, 14)
  expect(await whatCame()).toBe('Demand in 9 of 14 days: 90; forecast 140 (130–150)')
  await age(21, 14)
  expect(await whatCame()).toBe('Demand in 14 days: 140; forecast 140 (130–150)')
})

it('says on how many of the days there was no stock', async () => {
  const series = await SELECT.one.from(Series).where({ sku: 'A' })
  await INSERT.into(Stockouts).entries({
    ...{ series: series!.ID, firstDay: daysAgo(10), lastDay: daysAgo(8) },
  })
  expect(await whatCame('de')).toBe(
    'Bedarf in 14 Tagen: 140; Prognose 140 (130–150); Tage ohne Bestand: 3',
  )
})
