import cds from '@sap/cds'
import { cancelSync, startSync } from '../../../srv/domain/sync/index.ts'
import {
  BlockedPairs,
  PairInputs,
  Proposals,
  QuarantinedRows,
  Series,
  Sources,
  Syncs,
} from '../../../srv/base/database/entities.ts'
import {
  connectFiles,
  daysAgo,
  finished,
  steadyDemand,
  sync,
  writeFiles,
} from '../../support/server.ts'

const { INSERT, SELECT, UPDATE } = cds.ql

const MASTER = {
  'items.csv':
    'sku,name,unit,supplier,unit_cost,currency\nA,Apple,PC,S-1,1.50,EUR\nB,Bread,PC,S-1,2,EUR\n',
  'locations.csv': 'location,name\nL1,Shop\n',
  'stock.csv': 'sku,location,on_hand\nA,L1,0\nB,L1,5\n',
  'planning.csv': 'sku,location,lead_time_days,moq,lot_size\nA,L1,7,10,5\nB,L1,7,1,1\n',
  'open_orders.csv': `order,line,sku,location,quantity,due\n4500,10,A,L1,6,${daysAgo(-3)}\n`,
}
const files = () => ({ ...MASTER, 'demand.csv': steadyDemand(['A', 'B']) })

const pairs = (source: number) =>
  SELECT.from(PairInputs).where({ source_ID: source }).orderBy('sku')

describe('a first sync', () => {
  it('stores every record, forecasts every pair and proposes what falls short', async () => {
    const source = await connectFiles('first', files())
    expect(await sync(source)).toMatchObject({
      ...{ status: 'succeeded', rowsRead: 128, upserted: 128, unchanged: 0, deleted: 0 },
      ...{ quarantined: 0, issues: [] },
    })
    const [apple] = await pairs(source)
    expect(apple).toMatchObject({
      sku: 'A',
      onHand: 0,
      onOrder: 6,
      leadTimeDays: 7,
      supplier: 'S-1',
    })
    const proposals = await SELECT.from(Proposals).where({ source_ID: source, sku: 'A' })
    expect(proposals).toHaveLength(1)
    expect(Number(proposals[0]!.quantity) % 5).toBe(0)
  })

  it('keeps strange codes as they are', async () => {
    const codes = ['007', '1E5', '"; DROP TABLE', '../../x', '🍎', "O'Neil", '=1+1', 'Ünïté']
    const rows = codes.map((code) => `"${code.replaceAll('"', '""')}",L1,${daysAgo(3)},2`)
    const source = await connectFiles('strange', {
      'demand.csv': `sku,location,date,quantity\n${rows.join('\n')}\n`,
    })
    expect(await sync(source)).toMatchObject({ status: 'succeeded', upserted: codes.length })
    const stored = await SELECT.from(Series).columns('sku').where({ source_ID: source })
    expect(stored.map(({ sku }) => sku).sort()).toEqual([...codes].sort())
    const blocked = await SELECT.from(BlockedPairs).where({ source_ID: source })
    expect(blocked).toHaveLength(2 * codes.length)
  })
})

describe('a later sync', () => {
  it('reads nothing where nothing has changed', async () => {
    const source = await connectFiles('same', files())
    await sync(source)
    expect(await sync(source)).toMatchObject({ status: 'succeeded', rowsRead: 0, upserted: 0 })
  })

  it('distinguishes changed, unchanged and deleted rows', async () => {
    const source = await connectFiles('changed', files())
    await sync(source)
    await writeFiles('changed', { 'stock.csv': 'sku,location,on_hand\nA,L1,3\n' })
    expect(await sync(source)).toMatchObject({ rowsRead: 1, upserted: 1, unchanged: 0, deleted: 1 })
    const [apple, bread] = await pairs(source)
    expect([apple!.onHand, bread!.onHand]).toEqual([3, null])
    const blocked = await SELECT.from(BlockedPairs).where({ source_ID: source })
    expect(blocked).toMatchObject([{ sku: 'B', missing: 'stock' }])
    const full = await sync(source, 'full')
    expect(full).toMatchObject({ rowsRead: 127, upserted: 0, unchanged: 127, deleted: 0 })
  })

  it('forgets a pair whose demand is gone, and its proposal', async () => {
    const source = await connectFiles('gone', files())
    await sync(source)
    await writeFiles('gone', { 'demand.csv': steadyDemand(['B']) })
    expect(await sync(source)).toMatchObject({ status: 'succeeded', deleted: 60 })
    expect(await pairs(source)).toHaveLength(1)
    const proposals = await SELECT.from(Proposals).where({ source_ID: source, sku: 'A' })
    expect(proposals).toMatchObject([{ status: 'superseded' }])
  })

  it('does not believe a file that has lost most of its rows', async () => {
    const skus = ['A', 'B', 'C', 'D']
    const source = await connectFiles('shrunk', { 'demand.csv': steadyDemand(skus) })
    await sync(source)
    await writeFiles('shrunk', { 'demand.csv': steadyDemand(['A']) })
    const result = await sync(source)
    expect(result.issues).toMatchObject([{ code: 'deletions_withheld', stream: 'demand' }])
    expect(await pairs(source)).toHaveLength(4)
  })

  it.each([
    ['stock', 'stock.csv'],
    ['openOrders', 'open_orders.csv'],
    ['planning', 'planning.csv'],
  ] as const)('believes that %s have no rows once it was told', async (stream, file) => {
    const account = `emptied-${stream}`
    const orders = Array.from({ length: 5 }, (_, i) => `46${i},10,A,L1,6,${daysAgo(-3)}\n`)
    const open = `${MASTER['open_orders.csv']}${orders.join('')}`
    const source = await connectFiles(account, { ...files(), 'open_orders.csv': open })
    await sync(source)
    const before = await pairs(source)
    await writeFiles(account, { [file]: `${MASTER[file].split('\n')[0]}\n` })
    for (const mode of ['incremental', 'incremental'] as const) {
      const { status, issues } = await sync(source, mode)
      expect({ status, issues }).toMatchObject({
        status: 'partial',
        issues: [{ code: 'deletions_withheld', stream }],
      })
    }
    expect(await pairs(source)).toEqual(before)
    expect(await sync(source, 'full')).toMatchObject({ issues: [] })
    expect(await pairs(source)).not.toEqual(before)
  })

  it.each(['incremental', 'full'] as const)(
    'keeps what was read of a file that is gone, in an %s sync',
    async (mode) => {
      const account = `missing-${mode}`
      const source = await connectFiles(account, files())
      await sync(source)
      const before = await pairs(source)
      await writeFiles(account, { 'open_orders.csv': null })
      const { status, issues } = await sync(source, mode)
      expect({ status, issues }).toMatchObject({
        status: 'partial',
        issues: [{ code: 'missing_file', stream: 'openOrders' }],
      })
      expect(await pairs(source)).toEqual(before)
    },
  )
})

describe('bad input', () => {
  it('is quarantined row by row, and healed by the next good read', async () => {
    const source = await connectFiles('bad-rows', {
      ...files(),
      'stock.csv': 'sku,location,on_hand\nA,L1,-4\nB,L1,5\n',
    })
    const result = await sync(source)
    expect(result).toMatchObject({ status: 'partial', quarantined: 1 })
    expect(result.issues).toMatchObject([{ stream: 'stock', key: 'stock.csv:2' }])
    expect(await SELECT.from(QuarantinedRows).where({ source_ID: source })).toMatchObject([
      { place: 'stock.csv:2', target: 'on_hand', record: 'stock' },
    ])
    expect(await sync(source)).toMatchObject({ status: 'partial', quarantined: 1 })
    await writeFiles('bad-rows', { 'stock.csv': MASTER['stock.csv'] })
    expect(await sync(source)).toMatchObject({ status: 'succeeded', quarantined: 0 })
    expect(await SELECT.from(QuarantinedRows).where({ source_ID: source })).toEqual([])
  })

  it('fails the sync where demand cannot be read, and changes nothing', async () => {
    const source = await connectFiles('bad-demand', files())
    await sync(source)
    await writeFiles('bad-demand', { 'demand.csv': 'sku,location,when,quantity\nA,L1,x,1\n' })
    const result = await sync(source)
    expect(result).toMatchObject({ status: 'failed', issues: [{ code: 'missing_column' }] })
    expect(await pairs(source)).toHaveLength(2)
    expect(await SELECT.one.from(Sources).where({ ID: source })).toMatchObject({
      status: 'failing',
    })
    await writeFiles('bad-demand', { 'demand.csv': 'Artikel;Lager;Tag;Menge\nA;L1;3/4/2026;1\n' })
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
    await writeFiles('bad-demand', { 'demand.csv': '' })
    expect(await sync(source)).toMatchObject({ status: 'failed', issues: [{ code: 'empty_file' }] })
  })

  it('keeps the last good stock where the new one cannot be read', async () => {
    const source = await connectFiles('bad-stock', files())
    await sync(source)
    await writeFiles('bad-stock', { 'stock.csv': 'material,plant,amount\nA,L1,3\n' })
    expect(await sync(source)).toMatchObject({
      status: 'partial',
      issues: [{ code: 'missing_column', stream: 'stock' }],
    })
    expect((await pairs(source))[1]).toMatchObject({ sku: 'B', onHand: 5 })
  })
})

describe('one sync a source', () => {
  it('refuses a second one and names the first', async () => {
    const source = await connectFiles('busy', files())
    const first = await startSync({ source, mode: 'full' })
    await expect(startSync({ source, mode: 'full' })).rejects.toMatchObject({
      code: 'sync_in_progress',
      options: { members: { sync_id: `sync_${first.ID}` } },
    })
    expect(await finished(first.ID)).toMatchObject({ status: 'succeeded' })
  })

  it('goes on with a run whose instance has died', async () => {
    const source = await connectFiles('orphan', files())
    const ID = 900_000
    await INSERT.into(Syncs).entries({
      ...{ ID, source_ID: source, mode: 'full', status: 'running', activeFor: source },
      ...{
        owner: 'an instance that is gone',
        leaseUntil: '2020-01-01T00:00:00.000Z',
        issues: '[]',
      },
    })
    expect(await finished(ID)).toMatchObject({ status: 'succeeded', upserted: 128 })
  })

  it('stops at the next page when it is cancelled', async () => {
    const source = await connectFiles('cancelled', files())
    const { ID } = await startSync({ source, mode: 'full' })
    await UPDATE.entity(Syncs).set({ cancelRequested: true }).where({ ID })
    expect(await finished(ID)).toMatchObject({ status: 'cancelled' })
    await expect(cancelSync(ID)).rejects.toMatchObject({
      code: 'sync_already_finished',
    })
    expect(await sync(source)).toMatchObject({ status: 'succeeded' })
  })
})
