// Demand or stock that is too old: nothing made from it is due, and everything says so.
import { utimes } from 'node:fs/promises'
import path from 'node:path'
import cds from '@sap/cds'
import {
  Exceptions,
  Proposals,
  Sources,
  StreamStates,
} from '../../../srv/base/database/entities.ts'
import { draftOf, proposalsOf, readDueAt } from '../../../srv/doors/tasks/feed/audience.ts'
import { proposalsAs } from '../../support/buyer.ts'
import { connectFiles, daysAgo, steadyDemand, sync, writeFiles } from '../../support/server.ts'
import { get } from '../admin/admin.ts'
import { read } from '../buyer/odata.ts'

const { SELECT, UPDATE } = cds.ql

const SKUS = ['A', 'B', 'C']

/** Demand that ends so many days before yesterday. */
const demandUntil = (age: number) => {
  const [header, ...lines] = steadyDemand(SKUS, { days: 60 + age }).split('\n')
  return [header, ...lines.filter((line) => (line.split(',')[2] ?? '') < daysAgo(age))].join('\n')
}

let source: number

beforeAll(async () => {
  source = await connectFiles('stale', {
    'demand.csv': demandUntil(0),
    'stock.csv': 'sku,location,on_hand\nA,L1,2\nB,L1,0\nC,L1,30\n',
    'planning.csv':
      'sku,location,lead_time_days,supplier,unit_cost,currency\nA,L1,7,S-1,2.00,EUR\nB,L1,7,S-1,2.00,EUR\nC,L1,7,S-1,2.00,EUR\n',
  })
  await sync(source)
})

const proposals = () => SELECT.from(Proposals).where({ source_ID: source, status: 'pending' })
const urgencies = async () => (await proposals()).map(({ urgency }) => urgency)
const stale = () => SELECT.from(Exceptions).where({ source_ID: source, kind: 'stale_data' })

it('is not where demand is of yesterday and stock of today', async () => {
  expect(await proposals()).toHaveLength(3)
  expect(await urgencies()).not.toContain('ahead')
  expect(await stale()).toEqual([])
})

describe('demand that ends more than three days before yesterday', () => {
  beforeAll(async () => {
    await writeFiles('stale', { 'demand.csv': demandUntil(3) })
    await sync(source, 'full')
    expect(await stale()).toEqual([])
    await writeFiles('stale', { 'demand.csv': demandUntil(4) })
    await sync(source, 'full')
  })

  it('makes no proposal due, whatever it is short of', async () => {
    const rows = await proposals()
    expect(rows).toHaveLength(3)
    for (const row of rows) {
      expect(row).toMatchObject({ urgency: 'ahead', orderBy: null, exceptions: ['stale_data'] })
      expect(row.rationale).toContain(`demand or stock is of ${daysAgo(5)}, too old to order by.`)
    }
    const { json } = await read('Proposals?$filter=isDueToday eq true')
    expect((json as { value: unknown[] }).value).toEqual([])
  })

  it('is one exception of the source', async () => {
    expect(await stale()).toMatchObject([
      {
        ...{ sku: '', location: '', series: null, quantity: 0, value: null },
        message: `The newest demand of stale is of ${daysAgo(5)}, more than 3 days ago: nothing is due until there is newer.`,
      },
    ])
    const { json } = await read("Exceptions?$filter=kind eq 'stale_data'", {
      headers: { 'Accept-Language': 'de' },
    })
    const day = daysAgo(5).split('-').reverse().join('.')
    expect((json as { value: object[] }).value).toMatchObject([
      { message: expect.stringContaining(`ist vom ${day} `), canSettle: true },
    ])
  })

  it('is told in the list and in the sentence, in the language of the user', async () => {
    const { json } = await read('Proposals?$orderby=ID', { headers: { 'Accept-Language': 'de' } })
    expect((json as { value: object[] }).value[0]).toMatchObject({
      exceptionsText: 'Veraltete Daten',
      rationale: expect.stringContaining('zu alt, um danach zu bestellen'),
    })
  })

  it('does not press in the inboxes', async () => {
    const rows = await proposalsOf((await proposals()).map(({ ID }) => ID))
    for (const row of rows) {
      expect(draftOf(row, 'buyers', null, await readDueAt())).toMatchObject({
        ...{ status: 'READY', priority: 'LOW', orderBy: null, dueAt: null, neededBy: null },
      })
    }
  })

  it('is listed by urgency after all that is due, page by page', async () => {
    const sorted: number[] = []
    for (let after: string | null = null; ;) {
      const query: Record<string, unknown> = { filter: {}, sort: 'urgency', after, limit: 1 }
      const page = (await proposalsAs({}, 'list', query)) as unknown as {
        data: { ID: number }[]
        next: string | null
      }
      sorted.push(...page.data.map(({ ID }) => ID))
      if (!(after = page.next)) break
    }
    const rows = await SELECT.from(Proposals).columns('ID')
    expect(sorted.toSorted()).toEqual(rows.map(({ ID }) => ID).toSorted())
  })

  it.each([daysAgo(0).replace(/^\d+/, '2199'), daysAgo(-2)])(
    'is as old with a row dated ahead, %s',
    async (day) => {
      await writeFiles('stale', { 'demand.csv': `${demandUntil(4)}\nB,L1,${day},5\n` })
      await sync(source, 'full')
      expect(await SELECT.one.from(Sources).columns('dataAsOf').where({ ID: source })).toEqual({
        dataAsOf: daysAgo(4),
      })
      expect(await urgencies()).toEqual(['ahead', 'ahead', 'ahead'])
      expect(await stale()).toHaveLength(1)
    },
  )

  it('is forgotten once there is newer', async () => {
    await writeFiles('stale', { 'demand.csv': demandUntil(0) })
    await sync(source)
    expect(await urgencies()).not.toContain('ahead')
    expect(await stale()).toEqual([])
  })
})

describe('a source that cannot be read any more', () => {
  const housekeeping = () => proposalsAs({}, 'housekeeping', {})

  it('has nothing due once its stock is older than three days', async () => {
    await housekeeping()
    expect(await stale()).toEqual([])
    await UPDATE.entity(StreamStates)
      .set({ syncedAt: `${daysAgo(4)}T12:00:00Z` })
      .where({ source_ID: source, record: 'stock' })
    await housekeeping()
    expect(await urgencies()).toEqual(['ahead', 'ahead', 'ahead'])
    expect(await stale()).toMatchObject([
      { message: expect.stringContaining(`The stock of stale is of ${daysAgo(4)}`) },
    ])
  })

  it('is calculated so once', async () => {
    const before = await proposals()
    await housekeeping()
    expect(await proposals()).toEqual(before)
  })

  it('is due again once it is read, also where nothing else has changed', async () => {
    await writeFiles('stale', { 'stock.csv': 'sku,location,on_hand\nA,L1,2\nB,L1,0\nC,L1,31\n' })
    await sync(source)
    expect(await urgencies()).not.toContain('ahead')
    expect(await SELECT.one.from(Sources).columns('staleSince').where({ ID: source })).toEqual({
      staleSince: null,
    })
  })
})

describe('a stock file that stands still', () => {
  const age = (days: number) => {
    const at = new Date(Date.parse(`${daysAgo(days)}T12:00:00Z`))
    return utimes(path.join(process.env.RESTOCK_CSV_ROOT!, 'stale', 'stock.csv'), at, at)
  }

  it('is as old as it is, in a full and in an incremental sync', async () => {
    await age(12)
    for (const mode of ['full', 'full', 'incremental'] as const) {
      await sync(source, mode)
      expect(await urgencies()).toEqual(['ahead', 'ahead', 'ahead'])
      expect(await stale()).toMatchObject([
        { message: expect.stringContaining(`The stock of stale is of ${daysAgo(12)}`) },
      ])
    }
  })

  it('is new again once it is written, and never of tomorrow', async () => {
    await age(-2)
    await sync(source, 'full')
    expect(await urgencies()).not.toContain('ahead')
    expect(await stale()).toEqual([])
  })
})

describe('demand that is booked by week or month', () => {
  /** Bookings, the last of them on a day before today. */
  const booked = (sku: string, days: string[]) =>
    `sku,location,date,quantity\n${days.map((day) => `${sku},L1,${day},28`).join('\n')}\n`
  const weekly = (lastOne: number) =>
    booked(
      'W',
      Array.from({ length: 26 }, (_, week) => daysAgo(lastOne + 7 * week)),
    )
  /** The same day of another month, at most the 28th. */
  const inMonths = (day: string, months: number) => {
    const [year, month, on] = day.split('-').map(Number) as [number, number, number]
    return new Date(Date.UTC(year, month - 1 + months, Math.min(on, 28))).toISOString().slice(0, 10)
  }
  /** Booked each month, the last time so many days ago. */
  const monthly = (lastOne: number) =>
    booked(
      'M',
      Array.from({ length: 18 }, (_, month) => inMonths(daysAgo(lastOne), -month)),
    )
  /** By how many days the booking is late that comes after one so many days ago. */
  const lateAfter = (lastOne: number) =>
    (Date.parse(daysAgo(0)) - Date.parse(inMonths(daysAgo(lastOne), 1))) / 86_400_000
  const connect = (sku: string, demand: string) =>
    connectFiles(`stale-${sku}`, {
      'demand.csv': demand,
      'stock.csv': `sku,location,on_hand\n${sku},L1,2\n`,
      'planning.csv': `sku,location,lead_time_days\n${sku},L1,7\n`,
    })
  const staleSince = async (source: number) => {
    await sync(source, 'full')
    return (await SELECT.one.from(Sources).columns('staleSince').where({ ID: source }))!.staleSince
  }
  const isOldInTheApp = async () => {
    const { json } = await read('overview()')
    return (json as { isDataStale: boolean }).isDataStale
  }
  /** Of a source and of all, as administrators see them. */
  const coloursOf = async (id: number) => [
    (await get(`Sources(${id})`)).json.dataAgeCriticality,
    (await get('Health')).json.isDataStale,
  ]

  it('waits for the next booking, which may be two days late in a week', async () => {
    const source = await connect('W', weekly(9))
    for (const lastOne of [9, 12]) {
      await writeFiles('stale-W', { 'demand.csv': weekly(lastOne) })
      expect(await staleSince(source)).toBeNull()
      expect(await isOldInTheApp()).toBe(false)
      expect(await coloursOf(source)).toEqual([2, false])
    }
    await writeFiles('stale-W', { 'demand.csv': weekly(13) })
    expect(await staleSince(source)).toBe(daysAgo(13))
    expect(await isOldInTheApp()).toBe(true)
    expect(await coloursOf(source)).toEqual([1, true])
    await writeFiles('stale-W', { 'demand.csv': weekly(1) })
    await sync(source, 'full')
  })

  it('waits for the next booking, which may be four days late in a month', async () => {
    const days = Array.from({ length: 60 }, (_, ago) => ago).filter(
      (ago) => Number(daysAgo(ago).slice(8)) <= 28,
    )
    const inTime = days.findLast((ago) => lateAfter(ago) <= 7 && lateAfter(ago) >= 4)
    const late = days.find((ago) => lateAfter(ago) >= 8)!
    const source = await connect('M', monthly(late))
    expect(await staleSince(source)).toBe(daysAgo(late))
    expect(await isOldInTheApp()).toBe(true)
    await writeFiles('stale-M', { 'demand.csv': monthly(inTime ?? 20) })
    expect(await staleSince(source)).toBeNull()
    expect(await isOldInTheApp()).toBe(false)
  })
})
