// A run whose process ends again and again at the same place is given up, and whoever runs the service is told.
import cds from '@sap/cds'
import { type Attempted, attemptsAfter, takeAttemptBack } from '../../../srv/base/work/runs.ts'
import { Events, Forecasts, Series, Sources, Syncs } from '../../../srv/base/database/entities.ts'
import { startSync, syncWorker } from '../../../srv/domain/sync/index.ts'
import { connectFiles, finished, server, steadyDemand, sync } from '../../support/server.ts'
import { get } from '../v1/api.ts'

const { INSERT, SELECT, UPDATE } = cds.ql

const PAST = '2020-01-01T00:00:00.000Z'
const files = () => ({ 'demand.csv': steadyDemand(['A', 'B']) })

/** A run whose process is gone, and what is known of it. */
async function orphan(ID: number, source: number, more: object) {
  await INSERT.into(Syncs).entries({
    ...{ ID, source_ID: source, mode: 'full', status: 'running', activeFor: source, issues: '[]' },
    ...{ owner: 'an instance that is gone', leaseUntil: PAST, createdAt: PAST },
    ...more,
  })
  await syncWorker.wake()
}

const rowOf = async (ID: number) => (await SELECT.one.from(Syncs).where({ ID }))!
const start = (source: number, isAutomatic: boolean) =>
  startSync({ source, mode: 'incremental', isAutomatic })

describe('the count of attempts', () => {
  const died = (
    at: Partial<Attempted>,
    before: { attempts?: number; stuckAt?: string | null } = {},
  ) =>
    attemptsAfter({
      attempts: 0,
      advances: 4,
      phase: 'proposing',
      done: 10,
      stuckAt: null,
      ...before,
      ...at,
    })

  it('grows at the same place, and begins anew wherever a run gets further', () => {
    let known = died({})
    expect(known.attempts).toBe(1)
    for (const done of [10, 3, 10]) known = died({ done }, known)
    expect(known.attempts).toBe(4)
    expect(died({ done: 11 }, known).attempts).toBe(1)
    expect(died({ phase: 'forecasting', done: 99 }, known).attempts).toBe(5)
    expect(died({ advances: 5, phase: 'reading', done: 0 }, known).attempts).toBe(1)
  })

  it('does not take two places that alternate for progress', () => {
    let known = died({ done: 20 })
    for (const done of [10, 20, 10]) known = died({ done }, known)
    expect(known.attempts).toBe(4)
  })

  it('outlives any number of ends while a run gets on', () => {
    let known = died({})
    for (let advances = 5; advances < 55; advances++) known = died({ advances }, known)
    expect(known.attempts).toBe(1)
  })
})

describe('a run that has ended its process twice at one place', () => {
  const STUCK = { advances: 2, phase: 'forecasting', done: 5, stuckAt: '[2,2,5]', attempts: 2 }

  it('is given up at the third time, and all that was there stays', async () => {
    const source = await connectFiles('given-up', files())
    await sync(source, 'full')
    const before = await SELECT.from(Forecasts).orderBy('series')
    expect(before.length).toBeGreaterThan(0)
    const counts = { rowsRead: 120, upserted: 3 }
    await orphan(910_000, source, { ...STUCK, ...counts })
    expect(await finished(910_000)).toMatchObject({ status: 'failed', ...counts })
    expect(await SELECT.from(Forecasts).orderBy('series')).toEqual(before)
    expect(await SELECT.from(Series).where({ source_ID: source })).toHaveLength(2)
    expect(await SELECT.one.from(Sources).where({ ID: source })).toMatchObject({
      status: 'failing',
    })
    expect((await rowOf(910_000)).activeFor).toBeNull()
    expect(await SELECT.from(Events).where({ type: 'sync.failed' })).toHaveLength(1)
    const { json } = await get('/syncs/sync_910000')
    expect(json.issues).toEqual([
      expect.objectContaining({
        code: 'gave_up',
        message: expect.stringMatching(/three times while it made forecasts/),
        impact: expect.stringMatching(/What was read is kept/),
        remedy: expect.stringMatching(/--max-old-space-size/),
      }),
    ])
    const page = await server.axios.get(`/odata/v4/admin/Syncs(910000)/issues`, {
      auth: { username: 'admin', password: 'admin' },
      headers: { 'Accept-Language': 'de' },
      validateStatus: null,
    })
    expect(JSON.stringify(page.data)).toMatch(/Der Prozess endete dreimal, während er Prognosen/)
  })

  it('goes on where it has got further since', async () => {
    const source = await connectFiles('further', files())
    await sync(source, 'full')
    await orphan(910_001, source, { ...STUCK, done: 6 })
    expect(await finished(910_001)).toMatchObject({ status: 'succeeded' })
    expect(await rowOf(910_001)).toMatchObject({ attempts: 1, stuckAt: '[2,2,6]' })
  })

  it('goes on where it was released, as at a shutdown', async () => {
    const source = await connectFiles('released', files())
    await sync(source, 'full')
    await orphan(910_002, source, { ...STUCK, owner: null, leaseUntil: null })
    expect(await finished(910_002)).toMatchObject({ status: 'succeeded' })
    expect(await rowOf(910_002)).toMatchObject({ attempts: 2 })
  })
})

it('an owner that lives takes back that it was counted as gone', async () => {
  const source = await connectFiles('alive', files())
  const row = { ID: 910_003, source_ID: source, status: 'running' as const, attempts: 1 }
  await INSERT.into(Syncs).entries({
    ...row,
    owner: 'another',
    leaseUntil: '2199-01-01T00:00:00.000Z',
  })
  await takeAttemptBack(910_003)
  await takeAttemptBack(910_003)
  expect(await rowOf(910_003)).toMatchObject({ attempts: 0 })
})

it('after a run was given up a person begins the next one, and schedules wait a day and try once', async () => {
  const source = await connectFiles('next', files())
  const finishedAt = new Date().toISOString()
  const gone = { status: 'failed', attempts: 3, stuckAt: '[900,2,5]', activeFor: null, finishedAt }
  await orphan(910_010, source, { ...gone, owner: null, leaseUntil: null })
  await expect(start(source, true)).rejects.toMatchObject({ message: /was given up/ })

  await UPDATE.entity(Syncs)
    .set({ finishedAt: new Date(Date.now() - 25 * 3_600_000).toISOString() })
    .where({ ID: 910_010 })
  await UPDATE.entity('restock.Counters').set({ next: 920_000 }).where({ name: 'sync' })
  const { ID } = await start(source, true)
  expect(await rowOf(ID)).toMatchObject({ attempts: 2, stuckAt: '[900,2,5]' })
  expect(await finished(ID)).toMatchObject({ status: 'succeeded' })
  expect(await finished((await start(source, true)).ID)).toMatchObject({ status: 'succeeded' })

  await orphan(930_000, source, { ...gone, owner: null, leaseUntil: null })
  await UPDATE.entity('restock.Counters').set({ next: 940_000 }).where({ name: 'sync' })
  const byHand = await start(source, false)
  expect(await rowOf(byHand.ID)).toMatchObject({ attempts: 0, stuckAt: null })
  expect(await finished(byHand.ID)).toMatchObject({ status: 'succeeded' })
})
