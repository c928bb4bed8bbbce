// SKUs that nothing can be forecast of are told, with what else they lack.
import cds from '@sap/cds'
import { Exceptions } from '../../../srv/base/database/entities.ts'
import { proposalsAs } from '../../support/buyer.ts'
import { connectFiles, daysAgo, steadyDemand, sync, writeFiles } from '../../support/server.ts'
import { read } from '../buyer/odata.ts'

const { SELECT } = cds.ql

const listed = async (source: number) => {
  const rows = await SELECT.from(Exceptions)
    .where({ source_ID: source, kind: 'no_history' })
    .orderBy('sku', 'location')
  return rows.map(({ sku, location, message }) => [sku, location, message])
}

const ALONE = 'There is no demand history to forecast from: place the first order yourself.'
const andNo = (missing: string) =>
  `There is no demand history to forecast from, and no ${missing}: place the first order yourself.`

describe('where pairs are planned', () => {
  let source: number
  beforeAll(async () => {
    source = await connectFiles('new-pairs', {
      'demand.csv': steadyDemand(['old']),
      'items.csv': `sku,name,supplier,phase_out_on\nold,Old,S-1,\nnew,New,S-1,\nunplanned,Never planned,S-1,\ngone,Gone,S-1,${daysAgo(1)}\n`,
      'stock.csv': 'sku,location,on_hand\nold,L1,30\nnew,L1,5\n',
      'planning.csv':
        'sku,location,lead_time_days,supplier\nold,L1,7,\nold,L2,7,\nnew,L1,7,\nbare,L1,,\ngone,L1,7,\n',
    })
    await sync(source)
  })

  it('lists those without demand, and what they lack', async () => {
    expect(await listed(source)).toEqual([
      ['bare', 'L1', andNo('stock on hand and lead time and supplier')],
      ['new', 'L1', ALONE],
      ['old', 'L2', andNo('stock on hand')],
    ])
  })

  it('says so in the language of the user', async () => {
    const { json } = await read("Exceptions?$filter=kind eq 'no_history' and sku eq 'old'", {
      headers: { 'Accept-Language': 'de' },
    })
    expect((json as { value: object[] }).value).toMatchObject([
      { message: expect.stringContaining('es fehlen auch: Lagerbestand.'), supplier: 'S-1' },
    ])
  })

  it('takes a lead time from a rule', async () => {
    await proposalsAs({ id: 'admin' }, 'setPolicy', {
      rule: { level: 'sku', sku: 'bare', leadTimeDays: 5 },
    })
    await proposalsAs({}, 'refresh', { source, sync: null })
    expect((await listed(source))[0]![2]).toBe(andNo('stock on hand and supplier'))
  })

  it('is over with the first demand', async () => {
    await writeFiles('new-pairs', { 'demand.csv': steadyDemand(['old', 'new', 'bare']) })
    await sync(source)
    expect(await listed(source)).toEqual([['old', 'L2', andNo('stock on hand')]])
  })
})

it('lists SKUs where no pairs are planned, but those that are phased out', async () => {
  const source = await connectFiles('new-skus', {
    'demand.csv': steadyDemand(['old']),
    'items.csv': `sku,name,supplier,phase_out_on\nold,Old,S-1,\nnew,New,S-1,${daysAgo(-1)}\nstored,Stored,,\ngone,Gone,,${daysAgo(0)}\n`,
    'stock.csv': 'sku,location,on_hand\nold,L1,30\nstored,L2,5\n',
  })
  await sync(source)
  expect(await listed(source)).toEqual([
    ['new', '', andNo('stock on hand and lead time')],
    ['stored', 'L2', andNo('lead time and supplier')],
  ])
})

it('tells what is ordered beyond what is there and comes, first of all', async () => {
  const many = Array.from({ length: 1_001 }, (_, i) => `B${i}`)
  const source = await connectFiles('ordered', {
    'demand.csv': steadyDemand(['old']),
    'stock.csv': 'sku,location,on_hand\nold,L1,30\npart,L1,45\nenough,L1,5\n',
    'planning.csv': `sku,location,lead_time_days\n${['old', 'part', 'enough', 'z-bare', ...many].map((sku) => `${sku},L1,7\n`).join('')}`,
    'open_orders.csv': `order,line,sku,location,quantity,due\nP1,1,part,L1,15,${daysAgo(-4)}\nP2,1,part,L1,50,${daysAgo(91)}\n`,
    'customer_orders.csv': `order,line,sku,location,quantity,due\nC1,1,part,L1,3,${daysAgo(1)}\nC2,1,enough,L1,5,\nC3,1,z-bare,L1,2,${daysAgo(-9)}\n`,
    'reservations.csv': `reservation,line,sku,location,quantity,due\nR1,1,part,L1,60,${daysAgo(-6)}\n`,
  })
  await sync(source)
  const rows = await SELECT.from(Exceptions)
    .columns('sku', 'quantity', 'message')
    .where({ source_ID: source, kind: 'no_history', quantity: { '>': 0 } })
    .orderBy('sku')
  expect(rows.map(({ sku, quantity, message }) => [sku, Number(quantity), message])).toEqual([
    [
      ...['part', 3],
      `63 are ordered by customers or reserved; 45 on hand and 15 on order are 3 short of that. ${ALONE}`,
    ],
    [
      ...['z-bare', 2],
      `2 are ordered by customers or reserved; 0 on hand and 0 on order are 2 short of that. ${andNo('stock on hand')}`,
    ],
  ])
  expect(await listed(source)).toHaveLength(1_000)
})

describe('what comes with a later sync', () => {
  const item = (sku: string) => `${sku},${sku},,`
  const many = Array.from({ length: 1_005 }, (_, i) => `B${String(i).padStart(4, '0')}`)
  const items = (more: string[]) =>
    `sku,name,supplier,phase_out_on\n${['old', ...many, ...more].map(item).join('\n')}\n`
  const planning = (more: string[]) =>
    `sku,location,lead_time_days,supplier\n${['old', ...many].map((sku) => `${sku},L1,7,S-1`).join('\n')}\n${more.join('\n')}\n`

  it('is listed at once, however many others there are, planned or not', async () => {
    const source = await connectFiles('later', {
      'demand.csv': steadyDemand(['old']),
      'items.csv': items(['A-never-planned']),
      'stock.csv': 'sku,location,on_hand\nold,L1,30\n',
      'planning.csv': planning([]),
    })
    await sync(source)
    const before = await listed(source)
    expect(before).toHaveLength(1_000)
    await writeFiles('later', {
      'items.csv': items(['A-never-planned', 'z-planned', 'z-made', 'z-unplanned']),
      'planning.csv': planning(['z-planned,L1,7,', 'old,L2,7,']),
    })
    await sync(source)
    const after = await listed(source)
    expect(after).toHaveLength(1_000)
    const come = after.filter(([sku]) => !before.some(([known]) => known === sku))
    expect(come).toEqual([
      ['old', 'L2', andNo('stock on hand and supplier')],
      ['z-made', '', andNo('stock on hand and lead time and supplier')],
      ['z-planned', 'L1', andNo('stock on hand and supplier')],
      ['z-unplanned', '', andNo('stock on hand and lead time and supplier')],
    ])
    await sync(source, 'full')
    expect(await listed(source)).toEqual(after)
  })
})
