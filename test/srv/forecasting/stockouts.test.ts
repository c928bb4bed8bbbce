import { jest } from '@jest/globals'
import cds from '@sap/cds'
import { toDate, toEpochDay } from '../../../engine/index.ts'
import {
  Series,
  StockDays,
  StockHistories,
  Stockouts,
} from '../../../srv/base/database/entities.ts'
import { cleaningOf, lookUpForecasts } from '../../../srv/domain/forecasts/index.ts'
import { removeSource } from '../../../srv/domain/sources/index.ts'
import { connectFiles, sync, writeFiles } from '../../support/server.ts'
import { noise } from '../../engine/forecast/demand.ts'

const { SELECT } = cds.ql
/** Timers stay real, only the clock is moved. */
const TIMERS = [
  'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate',
  'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout',
] as const // prettier-ignore
const DAY_MS = 86_400_000
const START = toEpochDay('2026-10-01')
const HISTORY = 200
const SKUS = ['gone', 'kept', 'quiet', 'anyway']

/** About 20 a day, from {@link HISTORY} days before the start on. */
const wanted = new Map(
  SKUS.map((sku, at) => {
    const random = noise(at + 1)
    return [sku, Array.from({ length: HISTORY + 60 }, () => Math.round(10 + 20 * random()))]
  }),
)

/** What is sold of that on a day, counted from the start. */
type Sales = (sku: string, day: number, wanted: number) => number

const all: Sales = (_sku, _day, wanted) => wanted
const sold: Sales = (sku, day, wanted) => {
  // The last three are sold on day 0, the stock comes back on day 22.
  if (sku === 'gone' && day < 22) return day === 0 ? 3 : 0
  // Nobody wants it for five days.
  if (sku === 'quiet' && day >= 10 && day < 15) return 0
  return wanted
}

function demandFile(location: string, until: number, sales: Sales) {
  const lines = ['sku,location,date,quantity']
  for (const [sku, each] of wanted)
    for (let day = -HISTORY; day < until; day++) {
      const units = day < 0 ? each[day + HISTORY]! : sales(sku, day, each[day + HISTORY]!)
      if (units) lines.push(`${sku},${location},${toDate(START + day)},${units}`)
    }
  return `${lines.join('\n')}\n`
}

const gone = ['gone', 'anyway']

/** Reads all anew in the night before a day. */
async function syncOn(
  source: number,
  location: string,
  day: number,
  sales: Sales,
  empty: string[],
) {
  jest.setSystemTime((START + day) * DAY_MS + 3 * 3_600_000)
  // A file that did not change would not be read, and says nothing of the day.
  const knows = location !== 'L3'
  const stock = SKUS.map((sku) => `${sku},${location},${empty.includes(sku) ? 0 : 500 + day}\n`)
  await writeFiles(`stock-${location}`, {
    'demand.csv': demandFile(location, day, sales),
    ...(knows && { 'stock.csv': `sku,location,on_hand\n${stock.join('')}` }),
  })
  expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded' })
}

const connect = (location: string) =>
  connectFiles(`stock-${location}`, { 'demand.csv': demandFile(location, 0, all) })

async function forecastOf(sku: string, location: string) {
  const [answer] = await lookUpForecasts([{ sku, location }], 28)
  return answer!.forecast!
}

async function stockoutsOf(sku: string) {
  const { ID } = (await SELECT.one.from(Series).where({ sku, location: 'L1' }))!
  const rows = await SELECT.from(Stockouts).where({ series: ID }).orderBy('firstDay')
  return rows.map(({ firstDay, lastDay }) => [
    toEpochDay(firstDay) - START,
    lastDay && toEpochDay(lastDay) - START,
  ])
}

beforeAll(() => jest.useFakeTimers({ doNotFake: [...TIMERS], now: START * DAY_MS }))
afterAll(() => jest.useRealTimers())

describe('three weeks without stock', () => {
  let source = 0
  let uncensored = 0

  beforeAll(async () => {
    uncensored = await connect('L2')
    source = await connect('L1')
    await syncOn(source, 'L1', 0, sold, [])
    for (const day of [1, 2, 10, 11, 12, 13, 22]) await syncOn(source, 'L1', day, sold, gone)
    await syncOn(uncensored, 'L2', 22, all, [])
    await syncOn(await connect('L3'), 'L3', 22, sold, [])
  })

  it('leave the forecast within 5 % of what it would have been', async () => {
    const [is, would] = [await forecastOf('gone', 'L1'), await forecastOf('gone', 'L2')]
    expect(is.asOf).toBe(toDate(START + 22))
    expect(Math.abs(is.p50 / would.p50 - 1)).toBeLessThan(0.05)
    // Without the stock it falls.
    expect((await forecastOf('gone', 'L3')).p50).toBeLessThan(0.8 * would.p50)
    expect(is.drivers).toContain('stockout_correction')
    expect(is.censoredShare).toBeCloseTo(21 / (HISTORY + 22), 3)
    expect(would).toMatchObject({ censoredShare: 0 })
    expect(would.drivers).not.toContain('stockout_correction')
  })

  it('are the days that the forecast leaves out', async () => {
    const { ID } = (await SELECT.one.from(Series).where({ sku: 'gone', location: 'L1' }))!
    const cleaned = await cleaningOf(Number(ID), toDate(START + 22))
    const days = Array.from({ length: 21 }, (_, at) => toDate(START + 1 + at))
    const reasons = ['out_of_stock']
    expect(cleaned.slice(-21)).toEqual(
      days.map((date) => ({ date, booked: 0, taken: null, reasons })),
    )
  })

  it('are one row as long as they last', async () => {
    expect(await stockoutsOf('gone')).toEqual([[1, null]])
    expect(await stockoutsOf('kept')).toEqual([])
  })

  it('say nothing where demand is booked without stock', async () => {
    expect(await forecastOf('anyway', 'L1')).toMatchObject({
      p50: (await forecastOf('anyway', 'L2')).p50,
    })
  })

  it('are told from days with stock on which nobody wanted any', async () => {
    const quiet = await forecastOf('quiet', 'L1')
    expect(quiet.drivers).not.toContain('stockout_correction')
    expect(quiet.p50).toBeLessThan(0.97 * (await forecastOf('quiet', 'L2')).p50)
  })

  it('count no more than the days after them do', async () => {
    for (const day of [23, 24, 29]) await syncOn(source, 'L1', day, sold, ['anyway'])
    await syncOn(uncensored, 'L2', 29, all, [])
    expect(await stockoutsOf('gone')).toEqual([[1, 22]])
    const [is, would] = [await forecastOf('gone', 'L1'), await forecastOf('gone', 'L2')]
    expect(Math.abs(is.p50 / would.p50 - 1)).toBeLessThan(0.05)
  })

  it('give the same forecast when the data are the same', async () => {
    const before = await forecastOf('gone', 'L1')
    await sync(source, 'full')
    expect(await forecastOf('gone', 'L1')).toMatchObject({ p50: before.p50 })
    expect(await stockoutsOf('gone')).toEqual([[1, 22]])
  })

  it('are forgotten when forecasts look back no further', async () => {
    await syncOn(source, 'L1', 2000, sold, [])
    expect(await stockoutsOf('gone')).toEqual([])
    expect(await SELECT.from(StockDays).where({ source_ID: source })).toHaveLength(1)
  })

  it('go with their source', async () => {
    await removeSource(source)
    expect(await SELECT.from(Stockouts)).toEqual([])
    expect(await SELECT.from(StockDays).where({ source_ID: source })).toEqual([])
  })
})

describe('a history of stock', () => {
  const days = (from: number, to: number, onHand: (day: number) => number) =>
    Array.from({ length: to - from }, (_, at) => {
      const day = from + at
      return `gone,L4,${toDate(START + day)},${onHand(day)}\n`
    }).join('')
  const historyFile = (rows: string) => ({
    'stock_history.csv': `sku,location,date,on_hand\n${rows}`,
  })
  let source = 0

  beforeAll(async () => {
    source = await connect('L4')
    await writeFiles('stock-L4', historyFile(days(-9, 22, (day) => (day < 0 ? 40 : 0))))
    await syncOn(source, 'L4', 22, sold, gone)
    await syncOn(await connect('L5'), 'L5', 22, all, [])
  })

  it('says what the syncs did not see', async () => {
    const [is, would] = [await forecastOf('gone', 'L4'), await forecastOf('gone', 'L5')]
    expect(Math.abs(is.p50 / would.p50 - 1)).toBeLessThan(0.05)
    expect(is.drivers).toContain('stockout_correction')
    const stored = await SELECT.from(StockHistories).where({ source_ID: source })
    expect(stored.map(({ stockouts }) => stockouts)).toEqual([`[[${START},${START + 21}]]`])
  })

  it('counts as it is when it is read again', async () => {
    const rows = days(-9, 22, (day) => (day < 0 || day > 2 ? 40 : 0))
    await writeFiles('stock-L4', historyFile(`${rows}gone,L4,2199-01-01,0\n`))
    await syncOn(source, 'L4', 22, sold, [])
    const [is, would] = [await forecastOf('gone', 'L4'), await forecastOf('gone', 'L5')]
    expect(is.p50).toBeLessThan(0.8 * would.p50)
  })

  it('is forgotten without its file', async () => {
    await writeFiles('stock-L4', { 'stock_history.csv': 'sku,location,date,on_hand\n' })
    await syncOn(source, 'L4', 22, sold, [])
    expect(await SELECT.from(StockHistories)).toEqual([])
    const read = await SELECT.from(StockDays).where({ source_ID: source })
    expect(read.map(({ day }) => day)).toEqual([toDate(START + 22)])
  })

  it('tells nothing of a location that it never names', async () => {
    const demand = (location: string) =>
      demandFile(location, 22, all).split('\n').slice(1).join('\n')
    const files = {
      'demand.csv': `sku,location,date,quantity\n${demand('N1')}${demand('N2')}`,
      ...historyFile(days(-9, 22, () => 40).replaceAll('L4', 'N1')),
    }
    jest.setSystemTime((START + 22) * DAY_MS + 3 * 3_600_000)
    await sync(await connectFiles('stock-named', files), 'full')
    const missing = async (location: string) => {
      const [found] = await lookUpForecasts([{ sku: 'kept', location }], 28)
      return found!.forecast!.missing.map(({ code }) => code)
    }
    expect(await missing('N1')).not.toContain('stock_history')
    expect(await missing('N2')).toContain('stock_history')
  })
})
