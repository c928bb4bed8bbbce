import cds from '@sap/cds'
import { cancelSync, startSync } from '../../../srv/domain/sync/index.ts'
import { BlockedPairs, Proposals, Series, Syncs } from '../../../srv/base/database/entities.ts'
import {
  connectFiles,
  daysAgo,
  finished,
  steadyDemand,
  sync,
  writeFiles,
} from '../../support/server.ts'
import { files, pairs } from './shop.ts'

const { INSERT, SELECT, UPDATE } = cds.ql

/** Most tests share it, and leave it as its first sync has. */
let source: number
let first: Awaited<ReturnType<typeof sync>>

beforeAll(async () => {
  source = await connectFiles('shop', files())
  first = await sync(source)
})

async function heal() {
  await writeFiles('shop', files())
  expect(await sync(source)).toMatchObject({ status: 'succeeded', issues: [] })
}

const openForApples = () =>
  SELECT.from(Proposals).where({ source_ID: source, sku: 'A', status: 'pending' })

describe('a first sync', () => {
  it('stores every record, forecasts every pair and proposes what falls short', async () => {
    expect(first).toMatchObject({
      ...{ status: 'succeeded', rowsRead: 128, upserted: 128, unchanged: 0, deleted: 0 },
      ...{ quarantined: 0, issues: [] },
    })
    const [apple] = await pairs(source)
    expect(apple).toMatchObject({
      ...{ sku: 'A', onHand: 0, onOrder: 6, leadTimeDays: 7, supplier: 'S-1' },
    })
    const proposals = await openForApples()
    expect(proposals).toHaveLength(1)
    expect(Number(proposals[0]!.quantity) % 5).toBe(0)
  })

  it('keeps strange codes as they are', async () => {
    const codes = ['007', '1E5', '"; DROP TABLE', '../../x', '🍎', "O'Neil", '=1+1', 'Ünïté']
    const rows = codes.map((code) => `"${code.replaceAll('"', '""')}",L1,${daysAgo(3)},2`)
    const strange = await connectFiles('strange', {
      'demand.csv': `sku,location,date,quantity\n${rows.join('\n')}\n`,
    })
    expect(await sync(strange)).toMatchObject({ status: 'succeeded', upserted: codes.length })
    const stored = await SELECT.from(Series).columns('sku').where({ source_ID: strange })
    expect(stored.map(({ sku }) => sku).sort()).toEqual([...codes].sort())
    const blocked = await SELECT.from(BlockedPairs).where({ source_ID: strange })
    expect(blocked).toHaveLength(2 * codes.length)
  })
})

describe('a later sync', () => {
  it('reads nothing where nothing has changed', async () => {
    expect(await sync(source)).toMatchObject({ status: 'succeeded', rowsRead: 0, upserted: 0 })
  })

  it('distinguishes changed, unchanged and deleted rows', async () => {
    await writeFiles('shop', { 'stock.csv': 'sku,location,on_hand\nA,L1,3\n' })
    expect(await sync(source)).toMatchObject({ rowsRead: 1, upserted: 1, unchanged: 0, deleted: 1 })
    const [apple, bread] = await pairs(source)
    expect([apple!.onHand, bread!.onHand]).toEqual([3, null])
    const blocked = await SELECT.from(BlockedPairs).where({ source_ID: source })
    expect(blocked).toMatchObject([{ sku: 'B', missing: 'stock' }])
    const full = await sync(source, 'full')
    expect(full).toMatchObject({ rowsRead: 127, upserted: 0, unchanged: 127, deleted: 0 })
    await heal()
  })

  it('forgets a pair whose demand is gone, and its proposal', async () => {
    const [{ ID } = { ID: 0 }] = await openForApples()
    await writeFiles('shop', { 'demand.csv': steadyDemand(['B']) })
    expect(await sync(source)).toMatchObject({ status: 'succeeded', deleted: 60 })
    expect(await pairs(source)).toHaveLength(1)
    expect(await openForApples()).toEqual([])
    expect(await SELECT.from(Proposals).where({ ID })).toMatchObject([{ status: 'superseded' }])
    await heal()
  })
})

describe('one sync a source', () => {
  it('refuses a second one and names the first', async () => {
    const first = await startSync({ source, mode: 'full' })
    await expect(startSync({ source, mode: 'full' })).rejects.toMatchObject({
      code: 'sync_in_progress',
      options: { members: { sync_id: `sync_${first.ID}` } },
    })
    expect(await finished(first.ID)).toMatchObject({ status: 'succeeded' })
  })

  it('goes on with a run whose instance has died', async () => {
    const ID = 900_000
    await INSERT.into(Syncs).entries({
      ...{ ID, source_ID: source, mode: 'full', status: 'running', activeFor: source },
      ...{
        owner: 'an instance that is gone',
        leaseUntil: '2020-01-01T00:00:00.000Z',
        issues: '[]',
      },
    })
    expect(await finished(ID)).toMatchObject({ status: 'succeeded', rowsRead: 128 })
  })

  it('stops at the next page when it is cancelled', async () => {
    const { ID } = await startSync({ source, mode: 'full' })
    await UPDATE.entity(Syncs).set({ cancelRequested: true }).where({ ID })
    expect(await finished(ID)).toMatchObject({ status: 'cancelled' })
    await expect(cancelSync(ID)).rejects.toMatchObject({
      code: 'sync_already_finished',
    })
    expect(await sync(source)).toMatchObject({ status: 'succeeded' })
  })
})
