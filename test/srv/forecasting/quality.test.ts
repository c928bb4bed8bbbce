import cds from '@sap/cds'
import {
  ForecastReplays,
  ForecastSamples,
  ForecastScores,
} from '../../../srv/base/database/entities.ts'
import { runForecasts } from '../../../srv/domain/forecasts/index.ts'
import { measureForecasts } from '../../../srv/domain/quality/index.ts'
import { removeSource } from '../../../srv/domain/sources/index.ts'
import { connectFiles, daysAgo, sync, writeFiles } from '../../support/server.ts'

const { DELETE, INSERT, SELECT, UPDATE } = cds.ql

const SKUS = ['A', 'B', 'C']
/** Days ago on which the first window starts. */
const START = 60
const quantityOf = (sku: string, day: number) => 5 + ((day * 7919 + sku.charCodeAt(0)) % 7)

/** Days ago on which the demand begins. */
const BEGIN = 240

/** Demand from then on until `last` days ago. */
function demandUntil(last: number) {
  const lines = ['sku,location,date,quantity']
  for (const sku of SKUS)
    for (let day = BEGIN; day >= last; day--)
      lines.push(`${sku},L1,${daysAgo(day)},${quantityOf(sku, day)}`)
  return `${lines.join('\n')}\n`
}

let source: number

beforeAll(async () => {
  source = await connectFiles('quality', {
    'demand.csv': demandUntil(START + 1),
    'stock.csv': 'sku,location,on_hand\nA,L1,3\n',
  })
  await sync(source, 'full')
})

const scores = (kind: string) =>
  SELECT.from(ForecastScores)
    .where({ source_ID: source, kind })
    .orderBy('month', 'demandClass', 'confidence')
const total = async (kind: string, of: 'cases' | 'covered' | 'demand' | 'p50') =>
  (await scores(kind)).reduce((sum, row) => sum + Number(row[of]), 0)
const samples = () =>
  SELECT.from(ForecastSamples).where({ source_ID: source }).orderBy('asOf', 'series')
const days = async () => (await samples()).map(({ asOf }) => asOf)

/** Demand is read up to `last` days ago. */
async function read(last: number) {
  await writeFiles('quality', { 'demand.csv': demandUntil(last) })
  await sync(source, 'full')
}

describe('before any window has ended', () => {
  it('the past is replayed once, month by month', async () => {
    const replayed = await scores('replayed')
    // Each series is scored from 90 days after its first sale on.
    const windows = Math.floor((BEGIN - START - 90) / 28)
    expect(await total('replayed', 'cases')).toBe(SKUS.length * windows)
    expect(await total('replayed', 'covered')).toBeGreaterThan(0)
    expect(replayed.at(-1)!.month).toBe(`${daysAgo(START + 1).slice(0, 7)}-01`)
    expect(await scores('given')).toEqual([])
    await DELETE.from(ForecastScores).where({ source_ID: source })
    await sync(source, 'full')
    expect(await scores('replayed')).toEqual([])
  })

  it('is replayed again by another engine', async () => {
    await UPDATE.entity(ForecastReplays).set({ engineVersion: 'older' }).where({
      source_ID: source,
    })
    await sync(source, 'full')
    expect((await scores('replayed')).length).toBeGreaterThan(0)
  })

  it('keeps what was forecast, once a week', async () => {
    expect(await days()).toEqual(SKUS.map(() => daysAgo(START)))
    const [first] = await samples()
    expect(first).toMatchObject({ demandClass: 'smooth', p50: expect.any(Number) })
    expect(first!.p10).toBeLessThanOrEqual(first!.p50!)
    await read(START - 5)
    expect(new Set(await days())).toEqual(new Set([daysAgo(START)]))
    await read(START - 6)
    expect(new Set(await days())).toEqual(new Set([daysAgo(START), daysAgo(START - 7)]))
  })
})

describe('a window that has ended', () => {
  it('is not scored a day too early', async () => {
    await read(START - 26)
    expect(await scores('given')).toEqual([])
  })

  it('is scored as a whole or not at all', async () => {
    const kept = await samples()
    let broken = true
    cds.db.before('UPSERT', 'restock.ForecastScores', () => {
      if (broken) throw new Error('killed')
    })
    await read(START - 27)
    expect(await samples()).toEqual(kept)
    expect(await scores('given')).toEqual([])
    broken = false
  })

  it('is scored once, by what was then wanted', async () => {
    const kept = (await samples()).filter(({ asOf }) => asOf === daysAgo(START))
    const p50 = kept.reduce((sum, row) => sum + row.p50!, 0)
    await sync(source, 'full')
    const window = Array.from({ length: 28 }, (_, i) => START - i)
    const wanted = SKUS.flatMap((sku) => window.map((day) => quantityOf(sku, day)))
    const given = await scores('given')
    expect(given).toMatchObject([{ demandClass: 'smooth', month: expect.stringMatching(/-01$/) }])
    expect(await total('given', 'cases')).toBe(SKUS.length)
    expect(await total('given', 'demand')).toBe(wanted.reduce((sum, each) => sum + each, 0))
    expect(await total('given', 'p50')).toBe(p50)
    expect(await days()).not.toContain(daysAgo(START))
    await sync(source, 'full')
    expect(await scores('given')).toEqual(given)
  })

  it('adds to what was scored before it', async () => {
    await read(START - 27 - 7)
    expect(await total('given', 'cases')).toBe(2 * SKUS.length)
  })

  it('counts once where two runs come to it at once', async () => {
    const kept = await samples()
    await writeFiles('quality', { 'demand.csv': demandUntil(1) })
    await sync(source)
    const refresh = async () => {
      await runForecasts({ source, sync: null, everything: true })
      await measureForecasts([source], null, new AbortController().signal)
    }
    await Promise.all([refresh(), refresh()])
    const ended = kept.filter(({ asOf }) => asOf <= daysAgo(28)).length
    expect(ended).toBeGreaterThan(0)
    expect(await total('given', 'cases')).toBe(2 * SKUS.length + ended)
  })

  it('is forgotten after two years', async () => {
    const [score] = await scores('given')
    await INSERT.into(ForecastScores).entries([
      { ...score, month: `${daysAgo(800).slice(0, 7)}-01` },
    ])
    const cases = await total('given', 'cases')
    await sync(source, 'full')
    expect(await total('given', 'cases')).toBe(cases - score!.cases!)
  })
})

it('goes with its source', async () => {
  await removeSource(source)
  expect(await samples()).toEqual([])
  expect(await SELECT.from(ForecastScores).where({ source_ID: source })).toEqual([])
})
