// Los Angeles, Tokyo and Berlin in one source. On 1 November 2026 the clocks of Los Angeles are put back: a day of 25 hours.
import { jest } from '@jest/globals'
import cds from '@sap/cds'
import { LEARNING_DAYS, toDate, toEpochDay } from '../../../engine/index.ts'
import {
  Forecasts,
  Learnt,
  Proposals,
  Series,
  Stockouts,
} from '../../../srv/base/database/entities.ts'
import { lookUpForecasts } from '../../../srv/domain/forecasts/index.ts'
import { proposalsAs } from '../../support/buyer.ts'
import { connectFiles, sync, writeFiles } from '../../support/server.ts'
import { read } from '../buyer/odata.ts'

const { SELECT, UPDATE } = cds.ql
/** Timers stay real, only the clock is moved. */
const TIMERS = [
  'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate',
  'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout',
] as const // prettier-ignore
const HOUR_MS = 3_600_000
const START = Date.parse('2026-10-31T10:00:00Z')
const HOURS = 48
const HISTORY = 60
const DAILY = 20
/** No forecast could overlook it. */
const UNFINISHED = 5_000
const SKUS = ['A', 'B']

/** With the instants at which days begin there, as the law has it. */
const PLACES = {
  LAX: { zone: 'America/Los_Angeles', midnights: ['2026-11-01T07:00Z', '2026-11-02T08:00Z'] },
  TYO: {
    zone: 'Asia/Tokyo',
    midnights: ['2026-10-31T15:00Z', '2026-11-01T15:00Z', '2026-11-02T15:00Z'],
  },
  BER: {
    zone: 'Europe/Berlin',
    midnights: ['2026-10-31T23:00Z', '2026-11-01T23:00Z', '2026-11-02T23:00Z'],
  },
}
type Place = keyof typeof PLACES
const NAMES = Object.keys(PLACES) as Place[]

/** Counted from the midnights, and not by what is tested. */
function dayAt(place: Place, at: number): string {
  const begun = PLACES[place].midnights.filter((midnight) => Date.parse(midnight) <= at).length
  return toDate(toEpochDay('2026-10-31') + begun)
}

/** What the ERP has at that time: of each location all days before its present one, and that one as it has gone so far. */
function filesAt(at: number) {
  const demand = ['sku,location,date,quantity']
  for (const place of NAMES)
    for (const sku of SKUS) {
      const today = toEpochDay(dayAt(place, at))
      for (let day = today - HISTORY; day < today; day++)
        demand.push(`${sku},${place},${toDate(day)},${DAILY}`)
      demand.push(`${sku},${place},${toDate(today)},${UNFINISHED + at / HOUR_MS}`)
    }
  const pairs = NAMES.flatMap((place) => SKUS.map((sku) => [sku, place] as const))
  return {
    'demand.csv': `${demand.join('\n')}\n`,
    'locations.csv': `location,name,time_zone\n${NAMES.map((place) => `${place},${place},${PLACES[place].zone}\n`).join('')}`,
    'stock.csv': `sku,location,on_hand\n${pairs.map(([sku, place]) => `${sku},${place},${isGone(sku, at) ? 0 : 30}\n`).join('')}`,
    'planning.csv':
      'sku,location,lead_time_days,supplier,unit_cost,currency\n' +
      pairs.map(([sku, place]) => `${sku},${place},7,S-1,3.00,EUR\n`).join(''),
  }
}

const EMPTY_AT = START + 20 * HOUR_MS
/** In hours from the start, to the end: each midnight of a place, the hour before it, and when B is gone. */
const MOMENTS = [
  ...Object.values(PLACES).flatMap(({ midnights }) => midnights.map((at) => Date.parse(at))),
  EMPTY_AT,
]
  .flatMap((at) => [(at - START) / HOUR_MS - 1, (at - START) / HOUR_MS])
  .concat(0, HOURS)
  .filter((hour, i, all) => hour <= HOURS && all.indexOf(hour) === i)
  .sort((a, b) => a - b)
const isGone = (sku: string, at: number) => sku === 'B' && at >= EMPTY_AT

beforeAll(() => jest.useFakeTimers({ doNotFake: [...TIMERS], now: START }))
afterAll(() => jest.useRealTimers())

let source: number

const seriesOf = async () =>
  (await SELECT.from(Series).columns('ID', 'sku', 'location').where({ source_ID: source })) as {
    ID: number
    sku: string
    location: Place
  }[]

/** By location what all its series have. */
async function byPlace(values: (series: number) => Promise<string | null | undefined>) {
  const found: Partial<Record<Place, string>> = {}
  for (const { ID, location } of await seriesOf()) {
    const value = String(await values(ID))
    expect(found[location] ?? value).toBe(value)
    found[location] = value
  }
  return found
}

const daysAt = (at: number) => Object.fromEntries(NAMES.map((place) => [place, dayAt(place, at)]))

describe('hour by hour', () => {
  beforeAll(async () => {
    source = await connectFiles('zones', filesAt(START))
  })

  it('no unfinished day is counted, and each finished one is from its midnight on', async () => {
    const pairs = NAMES.map((location) => ({ sku: 'A', location }))
    for (const [i, hour] of MOMENTS.entries()) {
      const at = START + hour * HOUR_MS
      jest.setSystemTime(at)
      await writeFiles('zones', filesAt(at))
      // What is learnt of all is learnt now and then only, since that takes long.
      const mode = i % 3 && hour < HOURS ? 'incremental' : 'full'
      expect(await sync(source, mode)).toMatchObject({ status: 'succeeded', issues: [] })
      const known = await byPlace(async (series) => {
        const row = await SELECT.one.from(Forecasts).columns('asOf').where({ series })
        return row?.asOf
      })
      expect({ hour, ...known }).toEqual({ hour, ...daysAt(at) })
      for (const { forecast } of await lookUpForecasts(pairs, 28)) {
        expect(forecast!.p50).toBeGreaterThan(28 * DAILY * 0.9)
        expect(forecast!.p50).toBeLessThan(28 * DAILY * 1.1)
      }
      const proposed = await byPlace(async (series) => {
        const row = await SELECT.one.from(Proposals).where({ series, status: 'pending' })
        return (JSON.parse(row!.basis!) as { asOf: string }).asOf
      })
      expect({ hour, ...proposed }).toEqual({ hour, ...daysAt(at) })
    }
  }, 900_000)

  it('a stockout began on the day that it was at the location', async () => {
    const gone = (await seriesOf()).filter(({ sku }) => sku === 'B')
    const found: Record<string, string> = {}
    for (const { ID, location } of gone)
      found[location] = (await SELECT.one.from(Stockouts).where({ series: ID }))!.firstDay
    expect(found).toEqual(daysAt(EMPTY_AT))
  })

  it('what was learnt of a location is by its own day', async () => {
    const { asOf, contexts } = (await SELECT.one.from(Learnt).where({ source_ID: source }))!
    const stored = JSON.parse(contexts!) as [Place, object, string?][]
    const at = START + HOURS * HOUR_MS
    const own = Object.fromEntries(stored.map(([place, , day]) => [place, day ?? asOf]))
    expect(own).toEqual(daysAt(at))
    expect(asOf).toBe(Object.values(daysAt(at)).sort()[0])
    expect(LEARNING_DAYS).toBeGreaterThan(HISTORY)
  })
})

describe('incremental syncs', () => {
  const asOfNow = () =>
    byPlace(async (series) => {
      const row = await SELECT.one.from(Proposals).where({ series, status: 'pending' })
      return (JSON.parse(row!.basis!) as { asOf: string }).asOf
    })

  it("calculate all proposals anew after a place's midnight", async () => {
    const before = daysAt(START + HOURS * HOUR_MS)
    jest.setSystemTime(Date.parse('2026-11-02T14:30:00Z'))
    await sync(source)
    expect(await asOfNow()).toEqual(before)
    jest.setSystemTime(Date.parse('2026-11-02T15:30:00Z'))
    await sync(source)
    expect(await asOfNow()).toEqual(daysAt(Date.now()))
    expect(daysAt(Date.now())).toEqual({ ...before, TYO: '2026-11-03' })
  })

  it('leave a day out that was over only after they had begun to read', async () => {
    let midnight: number | null = Date.parse('2026-11-02T23:00:00Z')
    // The day up to which demand was read is noted right before it is forecast.
    cds.db.before('UPDATE', 'restock.Sources', ({ data }: cds.Request<{ dataAsOf?: string }>) => {
      if (midnight !== null && data.dataAsOf) jest.setSystemTime(midnight + 1_000)
    })
    const readAt = async (time: string) => {
      const at = Date.parse(time)
      jest.setSystemTime(at)
      await writeFiles('zones', filesAt(at))
      await sync(source)
      return byPlace(async (series) => (await SELECT.one.from(Forecasts).where({ series }))?.asOf)
    }
    const days = { LAX: '2026-11-02', TYO: '2026-11-03' }
    expect(await readAt('2026-11-02T22:59:59Z')).toEqual({ ...days, BER: '2026-11-02' })
    midnight = null
    expect(await readAt('2026-11-02T23:05:00Z')).toEqual({ ...days, BER: '2026-11-03' })
  })
})

describe('what is due', () => {
  /** Of each location one proposal that becomes due with each of its midnights. */
  beforeAll(async () => {
    for (const { ID, sku } of await seriesOf())
      await UPDATE.entity(Proposals)
        .set({ orderBy: sku === 'A' ? '2026-11-01' : '2026-11-02' })
        .where({ series: ID, status: 'pending' })
  })

  async function dueAtEveryDoor() {
    const { data } = await proposalsAs({}, 'list', {
      filter: { status: ['pending'], due: true },
      sort: 'urgency',
      limit: 100,
    })
    const due = data.map(({ ID }) => ID).sort((a, b) => a - b)
    const { json } = await read('Proposals?$filter=isDueToday eq true&$select=ID,isDueToday')
    expect(json.value.map(({ ID }) => ID).sort()).toEqual(due)
    expect(json.value.every(({ isDueToday }) => isDueToday === true)).toBe(true)
    const others = await read('Proposals?$filter=isDueToday eq false and status eq %27pending%27')
    expect(others.json.value).toHaveLength(2 * NAMES.length - due.length)
    const overview = (await read('overview()')).json as object as { due: number }
    expect(overview.due).toBe(due.length)
    const home = await proposalsAs({}, 'todaysWork', {})
    expect(home.due.lines).toBe(due.length)
    const orders = await proposalsAs({}, 'openOrders', {})
    expect(orders.reduce((sum, { dueLines }) => sum + dueLines, 0)).toBe(due.length)
    const order = await proposalsAs({}, 'supplierOrder', {
      ...{ source, supplier: 'S-1', location: null, currency: 'EUR', chosen: null },
    })
    const chosen = order.lines.filter(({ isChosen }) => isChosen).map(({ ID }) => ID)
    expect(chosen.sort((a, b) => a - b)).toEqual(due)
    return data.map(({ location, orderBy }) => ({ location: location as Place, orderBy }))
  }

  it("changes at each place's midnight, and only then", async () => {
    const changes: Record<string, string[]> = {}
    let before = new Map<string, number>()
    for (const hour of MOMENTS) {
      const at = START + hour * HOUR_MS
      jest.setSystemTime(at)
      const rows = await dueAtEveryDoor()
      const now = new Map(NAMES.map((place) => [place, 0]))
      for (const { location } of rows) now.set(location, now.get(location)! + 1)
      for (const place of NAMES) {
        if (now.get(place) === (before.get(place) ?? 0)) continue
        changes[place] = [...(changes[place] ?? []), `${new Date(at).toISOString().slice(0, 16)}Z`]
      }
      for (const { location, orderBy } of rows) expect(orderBy <= dayAt(location, at)).toBe(true)
      before = now
    }
    expect(changes).toEqual(
      Object.fromEntries(NAMES.map((place) => [place, PLACES[place].midnights.slice(0, 2)])),
    )
  }, 900_000)
})
