// Demand or stock that is too old: nothing made from it is due, and everything says so.
import cds from '@sap/cds'
import { Exceptions, Proposals, Sources, StreamStates } from '../../../srv/store/entities.ts'
import { draftOf, proposalsOf } from '../../../srv/tasks/feed/draft.ts'
import { proposalsAs } from '../../support/buyer.ts'
import { connectFiles, daysAgo, steadyDemand, sync, writeFiles } from '../../support/server.ts'
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
    expect((json as { value: object[] }).value).toMatchObject([
      { message: expect.stringContaining(`ist vom ${daysAgo(5)}`), canSettle: true },
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
      expect(draftOf(row, 'buyers', null)).toMatchObject({
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

it('waits for the next booking of demand that is booked by week', async () => {
  const booked = (lastOne: number) => {
    const weeks = Array.from({ length: 26 }, (_, week) => daysAgo(lastOne + 7 * week))
    return `sku,location,date,quantity\n${weeks.map((day) => `W,L1,${day},28`).join('\n')}\n`
  }
  const weekly = await connectFiles('stale-weekly', {
    'demand.csv': booked(9),
    'stock.csv': 'sku,location,on_hand\nW,L1,2\n',
    'planning.csv': 'sku,location,lead_time_days\nW,L1,7\n',
  })
  const staleSince = async () => {
    await sync(weekly, 'full')
    return (await SELECT.one.from(Sources).columns('staleSince').where({ ID: weekly }))!.staleSince
  }
  expect(await staleSince()).toBeNull()
  await writeFiles('stale-weekly', { 'demand.csv': booked(11) })
  expect(await staleSince()).toBe(daysAgo(11))
})
