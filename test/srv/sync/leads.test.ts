// Two sources with the same SKU and location: one leads, the other is a conflict.
import cds from '@sap/cds'
import {
  BlockedPairs,
  Forecasts,
  ProposalEvents,
  Proposals,
  Series,
  Sources,
} from '../../../srv/base/database/entities.ts'
import { approve, proposalsAs } from '../../support/buyer.ts'
import { connectFiles, steadyDemand, sync, writeFiles } from '../../support/server.ts'
import { del, get } from '../v1/api.ts'

const { SELECT, UPDATE } = cds.ql
const header = 'sku,location,lead_time_days,moq,lot_size,supplier,unit_cost,currency'

/** Files of a source whose SKUs all need an order. */
const filesOf = (skus: string[], quantity: number) => ({
  'demand.csv': steadyDemand(skus, { quantity }),
  'stock.csv': `sku,location,on_hand\n${skus.map((sku) => `${sku},L1,2`).join('\n')}\n`,
  'planning.csv': `${header}\n${skus.map((sku) => `${sku},L1,7,20,10,S-1,3.00,EUR`).join('\n')}\n`,
})

interface Pair {
  first: number
  second: number
}

/** Nobody has said which one leads. */
const usual = { precedence: undefined }

let nth = 0
/** Two sources, of which `x-shared` is in both, with 4 and 8 sold a day. */
async function twoSources(): Promise<Pair & { shared: string; skus: [string, string] }> {
  const name = `x${++nth}`
  const skus: [string, string] = [`${name}-first`, `${name}-second`]
  const shared = `${name}-shared`
  const first = await connectFiles(`${name}-1`, filesOf([shared, skus[0]], 4), usual)
  const second = await connectFiles(`${name}-2`, filesOf([shared, skus[1]], 8), usual)
  return { first, second, shared, skus }
}

const openOf = async (sku: string) =>
  (
    await SELECT.from(Proposals)
      .columns('ID', 'source_ID', 'status')
      .where({ sku, status: { in: ['pending', 'snoozed', 'awaiting_second_approval'] } })
  ).map(({ source_ID }) => source_ID)
const blockedOf = (sku: string) =>
  SELECT.from(BlockedPairs).columns('source_ID', 'missing', 'reason', 'ledBy').where({ sku })
const forecastsOf = async (sku: string) => {
  const rows = await SELECT.from(Forecasts).columns('series').where`series in
    (select ID from restock.Series where sku = ${sku})`
  const IDs = rows.map(({ series }) => series)
  const series = await SELECT.from(Series)
    .columns('source_ID')
    .where({ ID: { in: IDs } })
  return series.map(({ source_ID }) => source_ID)
}
const dailyP50 = async (sku: string) => {
  const { json } = await get(`/forecasts?sku=${sku}&location=L1&horizon=10` as '/forecasts')
  return Math.round(json.forecast.p50 / 10)
}
const historyOf = (ID: number) =>
  SELECT.from(ProposalEvents).columns('event', 'comment').where({ proposal: ID }).orderBy('version')

/** One leads the shared pair, in all that is to be seen of it. */
async function expectLead(sku: string, leader: number, led: number, p50: number) {
  expect(await openOf(sku)).toEqual([leader])
  expect(await forecastsOf(sku)).toEqual([leader])
  expect(await blockedOf(sku)).toMatchObject([
    { source_ID: led, missing: 'led_by_another_source', ledBy: leader },
  ])
  expect(await dailyP50(sku)).toBe(p50)
}

it('the one that was connected first leads, whichever is read first', async () => {
  const { first, second, shared, skus } = await twoSources()
  await sync(second, 'full')
  expect(await openOf(shared)).toEqual([second])
  expect(await blockedOf(shared)).toEqual([])
  const [before] = await SELECT.from(Proposals).where({ sku: shared })
  await sync(first, 'full')
  await expectLead(shared, first, second, 4)
  expect(await historyOf(before!.ID)).toMatchObject([
    { event: 'created' },
    { event: 'superseded', comment: `led_by_another_source: src_${first}` },
  ])
  await sync(second, 'full')
  await sync(second, 'incremental')
  await expectLead(shared, first, second, 4)
  for (const [at, sku] of skus.entries()) expect(await openOf(sku)).toEqual([[first, second][at]])
})

it('the other takes over where the leading one loses the pair', async () => {
  const { first, second, shared, skus } = await twoSources()
  await sync(first, 'full')
  await sync(second, 'full')
  await writeFiles(`x${nth}-1`, filesOf([skus[0]], 4))
  await sync(first)
  expect(await openOf(shared)).toEqual([second])
  expect(await blockedOf(shared)).toEqual([])
  expect(await forecastsOf(shared)).toEqual([second])
  expect(await dailyP50(shared)).toBe(8)
})

it('the other takes over where the leading one is removed, with its own next sync', async () => {
  const { first, second, shared } = await twoSources()
  await sync(first, 'full')
  await sync(second, 'full')
  expect((await del(`/sources/src_${first}`)).status).toBe(204)
  await sync(second)
  expect(await openOf(shared)).toEqual([second])
  expect(await blockedOf(shared)).toEqual([])
  expect(await dailyP50(shared)).toBe(8)
})

describe('the same two sources', () => {
  let pair: Pair & { shared: string }
  beforeAll(async () => {
    pair = await twoSources()
    await sync(pair.first, 'full')
    await sync(pair.second, 'full')
  })
  beforeEach(() => expectLead(pair.shared, pair.first, pair.second, 4))

  it('another one leads by its precedence, with the next sync of either', async () => {
    const { first, second, shared } = pair
    await UPDATE.entity(Sources).set({ precedence: 1 }).where({ ID: second })
    await sync(first)
    await expectLead(shared, second, first, 8)
    await UPDATE.entity(Sources).set({ precedence: 2 }).where({ ID: second })
    await UPDATE.entity(Sources).set({ precedence: 1 }).where({ ID: first })
    await sync(first)
    await expectLead(shared, first, second, 4)
    await UPDATE.entity(Sources)
      .set({ precedence: null })
      .where({ ID: { in: [first, second] } })
  })

  it.each([
    ['needs its consent again', { status: 'reconsent_required' as const }],
    ['is paused', { fullSchedule: 'off', incrementalSchedule: 'off' }],
  ])('the other takes over where the leading one %s, and gives back', async (_, change) => {
    const { first, second, shared } = pair
    await UPDATE.entity(Sources).set(change).where({ ID: first })
    await sync(second)
    await expectLead(shared, second, first, 8)
    const back = { status: 'connected' as const, fullSchedule: null, incrementalSchedule: null }
    await UPDATE.entity(Sources).set(back).where({ ID: first })
    await sync(second)
    await expectLead(shared, first, second, 4)
  })
})

it('a source that has not been forecast yet takes nothing over', async () => {
  const { first, second, shared } = await twoSources()
  await sync(second, 'full')
  await sync(first, 'full')
  const ledBy = { ledBy: null, dirty: true }
  await UPDATE.entity(Series).set(ledBy).where({ source_ID: first })
  await cds.run(
    cds.ql.DELETE.from(Forecasts).where`series in
    (select ID from restock.Series where source.ID = ${first})`,
  )
  await sync(second)
  expect(await openOf(shared)).toContain(second)
  expect(await dailyP50(shared)).toBe(8)
})

it('what people have touched ends too, and what is approved counts for whoever leads', async () => {
  const { first, second, shared } = await twoSources()
  await sync(second, 'full')
  const [{ ID } = { ID: 0 }] = await SELECT.from(Proposals).where({ sku: shared })
  const until = new Date(Date.now() + 86_400_000 * 3).toISOString()
  await proposalsAs({}, 'snooze', { ID, until })
  await sync(first, 'full')
  expect(await openOf(shared)).toEqual([first])
  expect(await historyOf(ID)).toMatchObject([
    { event: 'created' },
    { event: 'snoozed' },
    { event: 'woken' },
    { event: 'superseded', comment: `led_by_another_source: src_${first}` },
  ])
  const [open] = await SELECT.from(Proposals).where({ sku: shared, status: 'pending' })
  await approve(open!.ID)
  await UPDATE.entity(Sources).set({ precedence: 1 }).where({ ID: second })
  await sync(second)
  const [next] = await SELECT.from(Proposals).where({ sku: shared, status: 'pending' })
  expect(next).toMatchObject({ source_ID: second })
  expect(Number(next!.calculation_openProposals)).toBe(Number(open!.quantity))
})
