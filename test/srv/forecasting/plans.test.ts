// Promotions, closures and events that a source plans: plan.csv, offline and through the service.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import cds from '@sap/cds'
import { parseModel, predictDemand, splitByDriver } from '../../../engine/index.ts'
import {
  Learnt,
  PlannedEvents,
  Proposals,
  QuarantinedRows,
  Series,
  Syncs,
} from '../../../srv/base/database/entities.ts'
import { removeSource } from '../../../srv/domain/sources/index.ts'
import { markPlanned } from '../../../srv/base/database/records/mark-planned.ts'
import { cleaningOf } from '../../../srv/domain/forecasts/index.ts'
import { noise } from '../../engine/forecast/demand.ts'
import { linesOf, modelsOf, predicted } from '../../support/forecast-lines.ts'
import { connectFiles, daysAgo, sync, writeFiles } from '../../support/server.ts'

const { DELETE, INSERT, SELECT, UPDATE } = cds.ql

const SKUS = Array.from({ length: 8 }, (_, i) => `S${i}`)
const LOCATIONS = ['L1', 'L2']
const pairs = SKUS.flatMap((sku) => LOCATIONS.map((location) => ({ sku, location })))
const DAYS = 200
/** A week in five, at another time for each SKU. */
const ran = (at: number, day: number) => (day + 3 * at) % 35 < 7

/** @param marked whether the file says itself when promotions ran */
function demandFile(marked: boolean) {
  const rows = pairs.flatMap(({ sku, location }, at) => {
    const random = noise(at + 1)
    return Array.from({ length: DAYS }, (_, i) => {
      const promo = ran(at >> 1, i)
      const quantity = Math.round((promo ? 3 : 1) * (5 + 10 * random()))
      return `${sku},${location},${daysAgo(DAYS - i)},${quantity}${marked ? `,${Number(promo)}` : ''}`
    })
  })
  return `sku,location,date,quantity${marked ? ',promo' : ''}\n${rows.join('\n')}\n`
}

const HEADER = 'sku,location,group,from,to,kind,factor,price,name'
/** Promotions of all SKUs, from so many days before today to so many after it. */
const promotions = (from: number, to: number) =>
  SKUS.flatMap((sku, at) =>
    Array.from({ length: to - from }, (_, i) => from + i)
      .filter((day) => ran(at, day + DAYS))
      .map((day) => `${sku},,,${daysAgo(-day)},,promotion,,,`),
  )
const others = [
  `,L2,,${daysAgo(-3)},${daysAgo(-9)},closure,,,Stocktaking`,
  `S1,,,${daysAgo(-2)},${daysAgo(-5)},event,2.5,,Fair`,
  `S2,L1,,${daysAgo(-1)},${daysAgo(-40)},price,0.8,4.90,`,
]
const planFile = (rows: string[]) => `${HEADER}\n${rows.join('\n')}\n`
const PLAN = planFile([...promotions(0, 90), ...others])
const PLANNING = `sku,location,lead_time_days,review_period_days\n${pairs
  .map(({ sku, location }) => `${sku},${location},3,4`)
  .join('\n')}\n`
const STOCK = `sku,location,on_hand\n${pairs.map(({ sku, location }) => `${sku},${location},1`).join('\n')}\n`

const PLAN_FILE: [string, string][] = [['--plan', 'plan.csv']]

async function quantitiesOf(source: number) {
  const rows = await SELECT.from(Proposals).where({ source_ID: source, status: 'pending' })
  return new Map(rows.map(({ sku, location, quantity }) => [`${sku},${location}`, quantity!]))
}

const notesOf = async (source: number) => {
  const row = await SELECT.one.from(Syncs).where({ source_ID: source }).orderBy('ID desc')
  return JSON.parse(row!.notes!) as { code: string; message: string }[]
}

describe('a plan', () => {
  let source: number
  beforeAll(async () => {
    source = await connectFiles('planned', {
      ...{ 'demand.csv': demandFile(true), 'plan.csv': PLAN },
      ...{ 'planning.csv': PLANNING, 'stock.csv': STOCK },
    })
    expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
  })

  it('makes the forecasts that it makes offline', async () => {
    const lines = await linesOf(source)
    expect(lines.size).toBe(pairs.length * 3)
    expect(lines).toEqual(await predicted('planned', PLAN_FILE))
    expect(lines.get('S0,L1,28')).toMatch(/;promotion/)
    expect(lines.get('S1,L1,7')).toMatch(/;event/)
    expect(lines.get('S2,L1,28')).toMatch(/;price/)
    expect(lines.get('S3,L2,28')).toMatch(/;closure/)
  })

  it('tells by how much each of its kinds moves a forecast', async () => {
    const models = await modelsOf(source)
    const shares = splitByDriver(parseModel(models.get('S1,L2')!.model!), 28)
    const amountOf = (code: string) => shares.find((share) => share.code === code)?.amount ?? 0
    expect(amountOf('event')).toBeGreaterThan(30)
    expect(amountOf('closure')).toBeLessThan(-30)
  })

  it('that changes makes the forecasts and proposals of its series anew, and no others', async () => {
    const before = await modelsOf(source)
    const quantities = await quantitiesOf(source)
    const changed = PLAN.replace('event,2.5', 'event,4').replace('price,0.8,4.90', 'price,0.5,4.90')
    await writeFiles('planned', { 'plan.csv': changed })
    expect(await sync(source)).toMatchObject({ status: 'succeeded', upserted: 2, deleted: 0 })
    const after = await modelsOf(source)
    const anew = [...after].filter(([pair, row]) => row.model !== before.get(pair)!.model)
    expect(anew.map(([pair]) => pair).sort()).toEqual(['S1,L1', 'S1,L2', 'S2,L1'])
    expect(await linesOf(source)).toEqual(await predicted('planned', PLAN_FILE))
    const moved = [...(await quantitiesOf(source))].filter(([pair, quantity]) => {
      return quantity !== quantities.get(pair)
    })
    expect(moved.map(([pair]) => pair).sort()).toEqual(['S1,L1', 'S2,L1'])
  })

  it('stays as it was when its file breaks off', async () => {
    const events = () => SELECT.from(PlannedEvents).orderBy('ID')
    const [stored, lines] = [await events(), await linesOf(source)]
    const many = Array.from(
      { length: 20_000 },
      (_, i) => `S3,L1,,${daysAgo(-i % 80)},,event,9,,${i}`,
    )
    const whole = gzipSync(planFile(many))
    await writeFiles('planned', { 'plan.csv': null })
    const path = join(process.env.RESTOCK_CSV_ROOT!, 'planned', 'plan.csv.gz')
    await writeFile(path, whole.subarray(0, whole.length / 2))
    expect(await sync(source)).toMatchObject({
      status: 'partial',
      issues: [{ code: 'invalid_gzip', stream: 'plannedEvents' }],
    })
    expect(await events()).toEqual(stored)
    expect(await linesOf(source)).toEqual(lines)
    await writeFiles('planned', { 'plan.csv.gz': null, 'plan.csv': PLAN })
  })

  it('for a group concerns the SKUs that are in it', async () => {
    const dayOf = (days: number) => daysAgo(-days)
    const row = `,,G,${dayOf(1)},${dayOf(20)},event,3,,`
    const items = (group: string) => `sku,group\nS4,${group}\nS6,H\n`
    const p50s = async () => (await linesOf(source)).get('S4,L1,28')
    const before = await p50s()
    await writeFiles('planned', {
      ...{ 'items.csv': items('G') },
      'plan.csv': planFile([...promotions(0, 90), ...others, row]),
    })
    await sync(source)
    expect(await p50s()).not.toBe(before)
    await writeFiles('planned', { 'items.csv': items('H') })
    await sync(source)
    expect(await p50s()).toBe(before)
    await writeFiles('planned', { 'items.csv': 'sku\n', 'plan.csv': PLAN })
  })

  it('forgets what it no longer tells of days to come, and keeps what is over', async () => {
    const running = `S5,,,${daysAgo(9)},${daysAgo(-9)},event,2,,`
    const past = `S6,,,${daysAgo(20)},${daysAgo(10)},event,2,,`
    await writeFiles('planned', {
      'plan.csv': planFile([...promotions(0, 90), ...others, running, past]),
    })
    await sync(source)
    await writeFiles('planned', { 'plan.csv': planFile([...promotions(0, 90), others[2]!]) })
    await sync(source)
    const kept = await SELECT.from(PlannedEvents)
      .columns('sku', 'lastDay')
      .where({ source_ID: source, kind: 'event' })
      .orderBy('sku')
    expect(kept).toEqual([
      { sku: 'S5', lastDay: daysAgo(1) },
      { sku: 'S6', lastDay: daysAgo(10) },
    ])
  })

  it('has its bad rows named, and what it names without demand noted', async () => {
    const bad = [
      `S1,,,${daysAgo(-2)},${daysAgo(-1)},event,2,,`,
      `S1,,,${daysAgo(-2)},,sale,,,`,
      `S1,,,${daysAgo(-2)},,event,-1,,`,
      `S1,,,2026-02-30,,event,2,,`,
      `S1,,,${daysAgo(-2)},,closure,2,,`,
      `S1,,,${daysAgo(-2)},,promotion,101,,`,
      `S1,,,${daysAgo(-2)},,price,,,`,
      `?,,,${daysAgo(-2)},,promotion,,,`,
      `S1,L9,,${daysAgo(-2)},,promotion,,,`,
      `,,G9,${daysAgo(-2)},,promotion,,,`,
    ]
    await writeFiles('planned', { 'plan.csv': planFile([...promotions(0, 90), ...bad]) })
    expect(await sync(source)).toMatchObject({ status: 'partial', quarantined: 6 })
    const rows = await SELECT.from(QuarantinedRows)
      .columns('target', 'message')
      .where({ source_ID: source, record: 'plannedEvents' })
    expect(rows.map(({ target }) => target).sort()).toEqual([
      'factor',
      'factor',
      'factor',
      'from',
      'kind',
      'to',
    ])
    expect(rows.find(({ target }) => target === 'kind')!.message).toBe(
      'kind must be one of promotion, price, event, holiday, closure.',
    )
    expect((await notesOf(source)).map(({ code, message }) => [code, message])).toEqual([
      ['plan_without_demand', expect.stringContaining('no demand of group G9')],
      ['plan_without_demand', expect.stringContaining('no demand of SKU ?')],
      ['plan_without_demand', expect.stringContaining('no demand of SKU S1, location L9')],
      ['plan_without_factor', expect.stringContaining('1 of kind price have no factor')],
    ])
    await writeFiles('planned', { 'plan.csv': PLAN })
    expect(await sync(source)).toMatchObject({ status: 'succeeded' })
  })

  it('is known where it is told which days a forecast cleans', async () => {
    const pair = { sku: 'S4', location: 'L1' }
    const { ID: series } = (await SELECT.one.from(Series).where({ source_ID: source, ...pair }))!
    const bulkDays = async () => {
      const cleaned = await cleaningOf(Number(series), daysAgo(0))
      return cleaned.filter(({ reasons }) => reasons.includes('outlier')).map(({ date }) => date)
    }
    const day = daysAgo(30)
    expect(await bulkDays()).not.toContain(day)
    // Usual demand on a day with hardly any is a hundred times as much.
    const entered = { ID: 1e6, origin: 'calendar', kind: 'event', factor: 0.01, ...pair }
    const days = { firstDay: day, lastDay: day }
    await INSERT.into('restock.PlannedEvents').entries({ ...entered, ...days })
    expect(await bulkDays()).toContain(day)
    await DELETE.from(PlannedEvents).where({ ID: 1e6 })
  })

  it('comes to all forecasts, although the run that has learnt it breaks off', async () => {
    const before = await modelsOf(source)
    await UPDATE.entity(Learnt).set({ plannedUntil: null }).where({ source_ID: source })
    let breaksOff = true
    // In the transaction that saves forecasts.
    cds.db.before('UPDATE', 'restock.Series', ({ data }: { data: { dirty?: boolean } }) => {
      if (breaksOff && data.dirty === false) throw new Error('killed')
    })
    await sync(source)
    expect(await modelsOf(source)).toEqual(before)
    breaksOff = false
    await sync(source)
    const stale = [...(await modelsOf(source))].filter(
      ([pair, { generatedAt }]) => generatedAt === before.get(pair)!.generatedAt,
    )
    expect(stale).toEqual([])
  })

  it('goes with its source', async () => {
    await removeSource(source)
    expect(await SELECT.from(PlannedEvents)).toEqual([])
  })
})

it('tells of past promotions where demand does not, and is learnt when it comes later', async () => {
  const source = await connectFiles('later', { 'demand.csv': demandFile(false) })
  await sync(source, 'full')
  const p50Of = async (pair: `${string},${string}`) => {
    const models = await modelsOf(source)
    return predictDemand(parseModel(models.get(pair)!.model!), 7).p50
  }
  const before = await p50Of('S0,L1')
  const days = promotions(-DAYS, 40).flatMap((row) => {
    const [sku, , , day] = row.split(',')
    return LOCATIONS.map((location) => ({ sku, location, day }))
  })
  const rows = days.map(({ sku, location, day }) => `${sku},${location},,${day},,promotion,,,`)
  await writeFiles('later', { 'plan.csv': planFile(rows) })
  await sync(source)
  const lines = await linesOf(source)
  expect(lines).toEqual(await predicted('later', PLAN_FILE))
  expect(await p50Of('S0,L1')).toBeLessThan(before)
  const byDay = days.map(({ sku, location, day }) => `${sku},${location},${day},1`)
  await writeFiles('later', {
    'plan.csv': `sku,location,date,promo\n${byDay.join('\n')}\n`,
  })
  expect(await sync(source)).toMatchObject({ status: 'succeeded', upserted: 0, deleted: 0 })
  // One that is entered in the calendar says nothing of others.
  const [seen, day] = [await modelsOf(source), daysAgo(-60)]
  const entered = { ID: 1e6, origin: 'calendar', kind: 'promotion', sku: 'S0', location: 'L1' }
  await INSERT.into('restock.PlannedEvents').entries({ ...entered, firstDay: day, lastDay: day })
  await markPlanned(source, [{ sku: 'S0', location: 'L1', skuGroup: '' }])
  await sync(source)
  const moved = [...(await modelsOf(source))].filter(
    ([pair, { generatedAt }]) => generatedAt !== seen.get(pair)!.generatedAt,
  )
  expect(moved.map(([pair]) => pair)).toEqual(['S0,L1'])
  // One more promotion of a pair in the file says of all others that they have none until then.
  const later = `S0,L1,${daysAgo(-60)},1\nS0,L2,${daysAgo(-70)},0`
  await writeFiles('later', {
    'plan.csv': `sku,location,date,promo\n${byDay.join('\n')}\n${later}\n`,
  })
  await DELETE.from(PlannedEvents).where({ ID: 1e6 })
  expect(await sync(source)).toMatchObject({ status: 'succeeded', upserted: 2, deleted: 0 })
  expect(await linesOf(source)).toEqual(await predicted('later', PLAN_FILE))
  expect((await linesOf(source)).get('S7,L1,90')).not.toBe(lines.get('S7,L1,90'))
})
