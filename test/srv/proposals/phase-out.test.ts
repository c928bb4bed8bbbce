// SKUs that are phased out: nothing is ordered for the days after, nor what would arrive then.
import cds from '@sap/cds'
import { Exceptions, Planning, Proposals, Skus } from '../../../srv/base/database/entities.ts'
import { lookUpForecasts } from '../../../srv/domain/forecasts/index.ts'
import { connectFiles, daysAgo, steadyDemand, sync, writeFiles } from '../../support/server.ts'

const { SELECT } = cds.ql

const IN_DAYS = (days: number) => daysAgo(-days)
const LEAD_TIME = 7

let source: number

const items = (days: Record<string, string>) =>
  `sku,name,phase_out_on\n${['goes', 'soon', 'gone', 'stays', 'here'].map((sku) => `${sku},${sku},${days[sku] ?? ''}`).join('\n')}\n`
const DAYS = { goes: IN_DAYS(10), soon: IN_DAYS(LEAD_TIME), gone: daysAgo(1) }

beforeAll(async () => {
  const skus = ['goes', 'soon', 'gone', 'stays', 'here']
  source = await connectFiles('phase-out', {
    'demand.csv': steadyDemand(skus),
    'items.csv': items(DAYS),
    'stock.csv': `sku,location,on_hand\n${skus.map((sku) => `${sku},L1,10`).join('\n')}\n`,
    'planning.csv': `sku,location,lead_time_days,phase_out_on\n${skus.map((sku) => `${sku},L1,${LEAD_TIME},${sku === 'here' ? IN_DAYS(8) : ''}`).join('\n')}\n`,
  })
  expect(await sync(source)).toMatchObject({ status: 'succeeded', quarantined: 0 })
})

const pending = async () => {
  const rows = await SELECT.from(Proposals)
    .where({ source_ID: source, status: 'pending' })
    .orderBy('sku')
  return new Map(rows.map((row) => [row.sku!, row]))
}

it('are read with their day', async () => {
  expect(await SELECT.one.from(Skus).where({ source_ID: source, sku: 'goes' })).toMatchObject({
    phaseOutOn: IN_DAYS(10),
  })
  expect(await SELECT.one.from(Planning).where({ source_ID: source, sku: 'here' })).toMatchObject({
    phaseOutOn: IN_DAYS(8),
  })
})

it('are ordered less for the days until then, and not for a day without them', async () => {
  const proposals = await pending()
  expect([...proposals.keys()]).toEqual(['goes', 'here', 'stays'])
  const quantityOf = (sku: string) => Number(proposals.get(sku)!.quantity)
  expect(quantityOf('goes')).toBeLessThan(quantityOf('stays'))
  expect(quantityOf('here')).toBeLessThan(quantityOf('goes'))
  expect(proposals.get('goes')!.rationale).toContain(
    `phased out on ${IN_DAYS(10)}, no demand from then on`,
  )
  expect(proposals.get('stays')!.rationale).not.toContain('phased out')
})

it('are forecast until that day', async () => {
  const [goes, stays, gone] = await lookUpForecasts(
    ['goes', 'stays', 'gone'].map((sku) => ({ sku, location: 'L1' })),
    28,
    true,
  )
  const [until] = await lookUpForecasts([{ sku: 'goes', location: 'L1' }], 10)
  expect(goes!.forecast).toMatchObject({ horizonDays: 28, phaseOutOn: IN_DAYS(10) })
  expect(goes!.forecast!.p50).toBe(until!.forecast!.p50)
  expect(goes!.forecast!.p50).toBeLessThan(stays!.forecast!.p50)
  expect(until!.forecast!.phaseOutOn).toBeNull()
  expect(gone!.forecast).toMatchObject({
    ...{ p10: 0, p50: 0, p90: 0, drivers: [], phaseOutOn: daysAgo(1) },
    amounts: [{ code: 'level', amount: 0 }],
  })
})

it('are still looked at for what is on order and on hand', async () => {
  const skus = ['left', 'promised', 'empty']
  const after = await connectFiles('after-phase-out', {
    'demand.csv': steadyDemand(skus),
    'stock.csv': 'sku,location,on_hand\nleft,L1,1000\npromised,L1,20\nempty,L1,0\n',
    'planning.csv': `sku,location,lead_time_days,phase_out_on\n${skus.map((sku) => `${sku},L1,7,${daysAgo(1)}\n`).join('')}`,
    'open_orders.csv': `order,line,sku,location,quantity,due\nP1,1,left,L1,500,${IN_DAYS(10)}\nP2,1,promised,L1,500,${IN_DAYS(10)}\n`,
    'customer_orders.csv': `order,line,sku,location,quantity,due\nC1,1,promised,L1,300,${IN_DAYS(12)}\n`,
  })
  expect(await sync(after)).toMatchObject({ status: 'succeeded' })
  const found = await SELECT.from(Exceptions).where({ source_ID: after }).orderBy('sku', 'kind')
  expect(found.map(({ sku, kind, quantity }) => [sku, kind, Number(quantity)])).toEqual([
    ['left', 'cancel_order', 500],
    ['left', 'dead_stock', 1000],
  ])
  expect(await SELECT.from(Proposals).where({ source_ID: after })).toEqual([])
})

it('follow a day that is moved', async () => {
  await writeFiles('phase-out', { 'items.csv': items({ ...DAYS, soon: '', goes: daysAgo(0) }) })
  await sync(source)
  expect([...(await pending()).keys()]).toEqual(['here', 'soon', 'stays'])
})
