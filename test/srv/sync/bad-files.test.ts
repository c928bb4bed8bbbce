// Files that cannot be believed or read: what was read before stays, and the next good read heals all.
import cds from '@sap/cds'
import { QuarantinedRows, Sources } from '../../../srv/base/database/entities.ts'
import { connectFiles, daysAgo, steadyDemand, sync, writeFiles } from '../../support/server.ts'
import { files, MASTER, pairs } from './shop.ts'

const { SELECT } = cds.ql

/** All tests but one share it, and leave it as it was. */
let source: number
let before: Awaited<ReturnType<typeof pairs>>

beforeAll(async () => {
  const orders = Array.from({ length: 5 }, (_, i) => `46${i},10,A,L1,6,${daysAgo(-3)}\n`)
  MASTER['open_orders.csv'] += orders.join('')
  source = await connectFiles('shop', files())
  await sync(source)
  before = await pairs(source)
  expect(before).toHaveLength(2)
})

async function heal() {
  await writeFiles('shop', files())
  expect(await sync(source)).toMatchObject({ status: 'succeeded', quarantined: 0, issues: [] })
  expect(await pairs(source)).toEqual(before)
}

describe('what is gone', () => {
  it('is not believed of a file that has lost most of its rows', async () => {
    const shrunk = await connectFiles('shrunk', {
      'demand.csv': steadyDemand(['K', 'M', 'N', 'P']),
    })
    await sync(shrunk)
    await writeFiles('shrunk', { 'demand.csv': steadyDemand(['K']) })
    const result = await sync(shrunk)
    expect(result.issues).toMatchObject([{ code: 'deletions_withheld', stream: 'demand' }])
    expect(await pairs(shrunk)).toHaveLength(4)
  })

  it('is believed of files without any row once it was told', async () => {
    const emptied = ['stock.csv', 'open_orders.csv', 'planning.csv'] as const
    for (const file of emptied)
      await writeFiles('shop', { [file]: `${MASTER[file].split('\n')[0]}\n` })
    for (const mode of ['incremental', 'incremental'] as const) {
      const { status, issues } = await sync(source, mode)
      expect(status).toBe('partial')
      expect(new Set(issues.map(({ code }) => code))).toEqual(new Set(['deletions_withheld']))
      expect(issues.map(({ stream }) => stream).sort()).toEqual([
        ...['openOrders', 'planning', 'stock'],
      ])
      expect(await pairs(source)).toEqual(before)
    }
    expect(await sync(source, 'full')).toMatchObject({ issues: [] })
    for (const pair of await pairs(source))
      expect(pair).toMatchObject({ onHand: null, onOrder: null, leadTimeDays: null })
    await heal()
  })

  it('is kept of a file that is not there, in an incremental and in a full sync', async () => {
    await writeFiles('shop', { 'open_orders.csv': null })
    for (const mode of ['incremental', 'full'] as const) {
      const { status, issues } = await sync(source, mode)
      expect({ status, issues }).toMatchObject({
        status: 'partial',
        issues: [{ code: 'missing_file', stream: 'openOrders' }],
      })
      expect(await pairs(source)).toEqual(before)
    }
    await heal()
  })
})

describe('bad input', () => {
  it('is quarantined row by row, and healed by the next good read', async () => {
    await writeFiles('shop', { 'stock.csv': 'sku,location,on_hand\nA,L1,-4\nB,L1,5\n' })
    for (const _ of ['at once', 'and as long as it is there']) {
      const result = await sync(source)
      expect(result).toMatchObject({ status: 'partial', quarantined: 1 })
      expect(result.issues).toMatchObject([{ stream: 'stock', key: 'stock.csv:2' }])
    }
    expect(await SELECT.from(QuarantinedRows).where({ source_ID: source })).toMatchObject([
      { place: 'stock.csv:2', target: 'on_hand', record: 'stock' },
    ])
    await heal()
    expect(await SELECT.from(QuarantinedRows).where({ source_ID: source })).toEqual([])
  })

  it('keeps the last good stock where the new one cannot be read', async () => {
    await writeFiles('shop', { 'stock.csv': 'material,plant,amount\nA,L1,3\n' })
    expect(await sync(source)).toMatchObject({
      status: 'partial',
      issues: [{ code: 'missing_column', stream: 'stock' }],
    })
    expect(await pairs(source)).toEqual(before)
    await heal()
  })

  it('fails the sync where demand cannot be read, and changes nothing', async () => {
    await writeFiles('shop', { 'demand.csv': 'sku,location,when,quantity\nA,L1,x,1\n' })
    const result = await sync(source)
    expect(result).toMatchObject({ status: 'failed', issues: [{ code: 'missing_column' }] })
    expect(await pairs(source)).toEqual(before)
    expect(await SELECT.one.from(Sources).where({ ID: source })).toMatchObject({
      status: 'failing',
    })
    await writeFiles('shop', { 'demand.csv': 'Artikel;Lager;Tag;Menge\nA;L1;3/4/2026;1\n' })
    expect(await sync(source)).toMatchObject({
      status: 'failed',
      issues: [
        {
          code: 'ambiguous_date',
          message:
            'demand.csv, line 2: date "3/4/2026" can be 2026-04-03 or 2026-03-04; ' +
            'set the option date_format to "DD/MM/YYYY" or "MM/DD/YYYY".',
        },
      ],
    })
    await writeFiles('shop', { 'demand.csv': '' })
    expect(await sync(source)).toMatchObject({ status: 'failed', issues: [{ code: 'empty_file' }] })
    await heal()
  })
})
