import cds from '@sap/cds'
import { setTimeout as sleep } from 'node:timers/promises'
import { settings } from '../../../srv/base/settings/config.ts'
import { Schedules, Sources, Syncs } from '../../../srv/base/database/entities.ts'
import { syncWorker } from '../../../srv/domain/sync/index.ts'
import {
  housekeepingWorker,
  keepHouse,
  scheduleWorker,
  startDue,
} from '../../../srv/doors/schedules/start-due.ts'
import { connectFiles, steadyDemand } from '../../support/server.ts'

const { INSERT, SELECT, UPDATE } = cds.ql

const syncsOf = (source: number) =>
  SELECT.from(Syncs).columns('ID', 'mode').where({ source_ID: source }).orderBy('ID')
const at = (time: string) => new Date(`2099-11-21T${time}Z`)

/** Connects a source with schedules of its own, whose rows are made at this time. */
async function scheduled(account: string, full: string, incremental: string, made: Date) {
  const source = await connectFiles(account, { 'demand.csv': steadyDemand(['A']) })
  await UPDATE.entity(Sources)
    .set({ fullSchedule: full, incrementalSchedule: incremental })
    .where({ ID: source })
  await startDue(made)
  return source
}

const finishAll = (source: number) =>
  UPDATE.entity(Syncs).set({ status: 'succeeded', activeFor: null }).where({ source_ID: source })

/** The service's own clock would find what is due by it; and no sync that is due needs to be done. */
beforeAll(() =>
  Promise.all([scheduleWorker, housekeepingWorker, syncWorker].map((worker) => worker.stop())),
)

/** Other sources' rows stay out of it. */
afterEach(async () => {
  await UPDATE.entity(Sources).set({ status: 'pending_consent' }).where('1 = 1')
})

describe('schedules', () => {
  it('start what is due, the full sync where both are', async () => {
    const source = await scheduled('due', '0 2 * * *', '0 * * * *', at('00:30:00'))
    await startDue(at('00:59:59'))
    expect(await syncsOf(source)).toEqual([])
    await startDue(at('01:00:00'))
    expect(await syncsOf(source)).toMatchObject([{ mode: 'incremental' }])
    await finishAll(source)
    await startDue(at('02:00:30'))
    expect(await syncsOf(source)).toMatchObject([{ mode: 'incremental' }, { mode: 'full' }])
    await finishAll(source)
  })

  it('go by the clocks of the source, and anew once it has others', async () => {
    const source = await scheduled('clocks', '0 2 * * *', 'off', at('00:30:00'))
    const dueAt = async () => {
      const name = `src_${source} full`
      const row = await SELECT.one.from(Schedules).columns('dueAt').where({ name })
      return new Date(row!.dueAt!).toISOString()
    }
    expect(await dueAt()).toBe('2099-11-21T02:00:00.000Z')
    const options = JSON.stringify({ time_zone: 'Asia/Tokyo' })
    await UPDATE.entity(Sources).set({ options }).where({ ID: source })
    await startDue(at('00:31:00'))
    expect(await dueAt()).toBe('2099-11-21T17:00:00.000Z')
    await startDue(at('16:59:00'))
    expect(await syncsOf(source)).toEqual([])
    await startDue(at('17:00:00'))
    expect(await syncsOf(source)).toMatchObject([{ mode: 'full' }])
    expect(await dueAt()).toBe('2099-11-22T17:00:00.000Z')
    await finishAll(source)
  })

  it('run once what was missed, however often', async () => {
    const source = await scheduled('missed', 'off', '*/5 * * * *', at('03:01:00'))
    await startDue(at('09:02:00'))
    await startDue(at('09:03:00'))
    expect(await syncsOf(source)).toHaveLength(1)
    await finishAll(source)
  })

  it('are done once, however many instances look at the same time', async () => {
    const source = await scheduled('many', 'off', '0 * * * *', at('04:30:00'))
    await Promise.all([1, 2, 3, 4].map(() => startDue(at('05:00:00'))))
    expect(await syncsOf(source)).toHaveLength(1)
    await finishAll(source)
  })

  it('follow a changed expression, and never where it is off', async () => {
    const source = await scheduled('changed', 'off', '0 * * * *', at('06:30:00'))
    await UPDATE.entity(Sources).set({ incrementalSchedule: 'off' }).where({ ID: source })
    await startDue(at('08:00:00'))
    await UPDATE.entity(Sources).set({ incrementalSchedule: '0 * * * *' }).where({ ID: source })
    await startDue(at('08:30:00'))
    expect(await syncsOf(source)).toEqual([])
    await startDue(at('09:00:00'))
    expect(await syncsOf(source)).toHaveLength(1)
    await finishAll(source)
  })

  it('skip a sync while another runs, and do not fail', async () => {
    const source = await scheduled('busy', 'off', '0 * * * *', at('10:30:00'))
    await INSERT.into(Syncs).entries({
      ...{ ID: 900_001, source_ID: source, mode: 'full', status: 'running', issues: '[]' },
      ...{ activeFor: source, owner: 'another', leaseUntil: at('23:00:00').toISOString() },
    })
    await startDue(at('11:00:00'))
    expect(await syncsOf(source)).toEqual([{ ID: 900_001, mode: 'full' }])
    await UPDATE.entity(Syncs).set({ status: 'failed', activeFor: null }).where({ ID: 900_001 })
  })
})

describe('housekeeping', () => {
  beforeAll(() => Object.assign(settings().schedules, { housekeeping: '0 * * * *' }))
  afterAll(() => Object.assign(settings().schedules, { housekeeping: 'off' }))

  const schedule = { name: 'housekeeping' }
  const readSchedule = () => SELECT.one.from(Schedules).where(schedule)
  const due = async (dueAt: Date) => {
    await keepHouse(dueAt)
    await UPDATE.entity(Schedules).set({ dueAt: dueAt.toISOString() }).where(schedule)
  }

  async function countRounds(work: () => Promise<unknown>, fault?: Error) {
    let rounds = 0
    const { handlers } = cds.db as unknown as { handlers: { before: unknown[] } }
    const count = handlers.before.length
    // The first that a round asks for is what has expired.
    cds.db.before('READ', 'restock.Proposals', ({ query }) => {
      if (!JSON.stringify(query).includes('expiresAt')) return
      rounds++
      if (fault) throw fault
    })
    await work()
    handlers.before.length = count
    return rounds
  }

  it('is done once, however many instances look at the same time', async () => {
    await due(at('13:00:00'))
    const looks = () => Promise.all([1, 2, 3].map(() => keepHouse(at('13:00:30'))))
    expect(await countRounds(looks)).toBe(1)
    expect(Date.parse((await readSchedule())!.dueAt!)).toBeGreaterThan(at('13:00:30').getTime())
  })

  it('is due again a quarter of an hour after it failed, or its instance died', async () => {
    await due(at('14:00:00'))
    const fault = new Error('The database is away.')
    const look = () => expect(keepHouse(at('14:00:10'))).rejects.toThrow(fault.message)
    expect(await countRounds(look, fault)).toBe(1)
    expect(await countRounds(() => keepHouse(at('14:15:09')))).toBe(0)
    expect(await countRounds(() => keepHouse(at('14:15:10')))).toBe(1)
  })
})

it('a sync that cannot be started stays due', async () => {
  const source = await scheduled('away', 'off', '0 * * * *', at('15:30:00'))
  const away = new Error('Connection terminated unexpectedly')
  let isAway = true
  cds.db.before('INSERT', 'restock.Syncs', () => {
    if (isAway) throw away
  })
  await expect(startDue(at('16:00:00'))).rejects.toThrow(away.message)
  isAway = false
  await startDue(at('16:00:30'))
  expect(await syncsOf(source)).toHaveLength(1)
  await finishAll(source)
})

it('ends what has begun before it has stopped', async () => {
  let isStopped = false
  let late = 0
  cds.db.before('READ', 'restock.Schedules', () => {
    if (isStopped) late++
  })
  scheduleWorker.start()
  await scheduleWorker.stop()
  isStopped = true
  await sleep(200)
  expect(late).toBe(0)
})
