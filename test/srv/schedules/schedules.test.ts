import cds from '@sap/cds'
import { setTimeout as sleep } from 'node:timers/promises'
import { Sources, Syncs } from '../../../srv/store/entities.ts'
import { queueTask, recoverTasks } from '../../../srv/cap/queue.ts'
import { queueDue } from '../../../srv/schedules/queue-due.ts'
import { scheduleWorker } from '../../../srv/schedules/queue-due.ts'
import { connectFiles, finished, steadyDemand } from '../../support/server.ts'
import { until } from '../../support/service.ts'
import { entityNamed } from '../../support/rows.ts'

const { INSERT, SELECT, UPDATE } = cds.ql

const syncsOf = (source: number) =>
  SELECT.from(Syncs).columns('ID', 'mode').where({ source_ID: source }).orderBy('ID')
const messages = () =>
  SELECT.from(entityNamed('cds.outbox.Messages')).where({ target: 'SchedulesService' })
const at = (time: string) => new Date(`2099-11-21T${time}Z`)

/** Until the queue has done all that it was given. */
const queueIsEmpty = () => until(async () => (await messages()).length === 0)

/** Connects a source with schedules of its own, whose rows are made at this time. */
async function scheduled(account: string, full: string, incremental: string, made: Date) {
  const source = await connectFiles(account, { 'demand.csv': steadyDemand(['A']) })
  await UPDATE.entity(Sources)
    .set({ fullSchedule: full, incrementalSchedule: incremental })
    .where({ ID: source })
  await queueDue(made)
  return source
}

async function finishAll(source: number) {
  for (const { ID } of await syncsOf(source)) await finished(ID)
}

/** The service's own clock would find what is due by it. */
beforeAll(() => scheduleWorker.stop())

/** Other sources' rows stay out of it. */
afterEach(async () => {
  await UPDATE.entity(Sources).set({ status: 'pending_consent' }).where('1 = 1')
})

describe('schedules', () => {
  it('start what is due, the full sync where both are', async () => {
    const source = await scheduled('due', '0 2 * * *', '0 * * * *', at('00:30:00'))
    await queueDue(at('00:59:59'))
    await queueIsEmpty()
    expect(await syncsOf(source)).toEqual([])
    await queueDue(at('01:00:00'))
    await queueIsEmpty()
    expect(await syncsOf(source)).toMatchObject([{ mode: 'incremental' }])
    await finishAll(source)
    await queueDue(at('02:00:30'))
    await queueIsEmpty()
    expect(await syncsOf(source)).toMatchObject([{ mode: 'incremental' }, { mode: 'full' }])
    await finishAll(source)
  })

  it('run once what was missed, however often', async () => {
    const source = await scheduled('missed', 'off', '*/5 * * * *', at('03:01:00'))
    await queueDue(at('09:02:00'))
    await queueDue(at('09:03:00'))
    await queueIsEmpty()
    expect(await syncsOf(source)).toHaveLength(1)
    await finishAll(source)
  })

  it('are done once, however many instances look at the same time', async () => {
    const source = await scheduled('many', 'off', '0 * * * *', at('04:30:00'))
    await Promise.all([1, 2, 3, 4].map(() => queueDue(at('05:00:00'))))
    await queueIsEmpty()
    expect(await syncsOf(source)).toHaveLength(1)
    await finishAll(source)
  })

  it('follow a changed expression, and never where it is off', async () => {
    const source = await scheduled('changed', 'off', '0 * * * *', at('06:30:00'))
    await UPDATE.entity(Sources).set({ incrementalSchedule: 'off' }).where({ ID: source })
    await queueDue(at('08:00:00'))
    await UPDATE.entity(Sources).set({ incrementalSchedule: '0 * * * *' }).where({ ID: source })
    await queueDue(at('08:30:00'))
    await queueIsEmpty()
    expect(await syncsOf(source)).toEqual([])
    await queueDue(at('09:00:00'))
    await queueIsEmpty()
    expect(await syncsOf(source)).toHaveLength(1)
    await finishAll(source)
  })

  it('skip a sync while another runs, and do not fail', async () => {
    const source = await scheduled('busy', 'off', '0 * * * *', at('10:30:00'))
    await INSERT.into(Syncs).entries({
      ...{ ID: 900_001, source_ID: source, mode: 'full', status: 'running', issues: '[]' },
      ...{ activeFor: source, owner: 'another', leaseUntil: at('23:00:00').toISOString() },
    })
    await queueDue(at('11:00:00'))
    await queueIsEmpty()
    expect(await syncsOf(source)).toEqual([{ ID: 900_001, mode: 'full' }])
    await UPDATE.entity(Syncs).set({ status: 'failed', activeFor: null }).where({ ID: 900_001 })
  })
})

describe('the queue', () => {
  it('holds what is due as a task of its own, with its name and time', async () => {
    await scheduled('queued', 'off', '0 * * * *', at('12:30:00'))
    await cds.tx(async () => {
      await queueTask('SchedulesService', 'housekeeping 12:00', 'housekeeping', {})
      const tasks = (await messages()).map(({ task }) => task)
      expect(tasks).toContain('housekeeping 12:00')
    })
    await queueIsEmpty()
  })

  const task = (ID: string, more: object) => ({
    ...{ ID, target: 'SchedulesService', attempts: 0, task: ID },
    msg: JSON.stringify({
      ...{ service: 'SchedulesService', event: 'housekeeping', data: {}, _fromSend: true },
      context: {},
    }),
    ...more,
  })

  it('is taken over from an instance that died before or during a task', async () => {
    const long = new Date(Date.now() - 3_600_000).toISOString()
    await INSERT.into('cds.outbox.Messages').entries([
      task('00000000-0000-4000-8000-000000000001', { timestamp: long }),
      task('00000000-0000-4000-8000-000000000002', { timestamp: long, status: 'processing' }),
    ])
    await recoverTasks('SchedulesService')
    await queueIsEmpty()
  })

  it('leaves a task alone that is being done, and one that failed to be seen', async () => {
    const now = new Date().toISOString()
    const rows = [
      task('00000000-0000-4000-8000-000000000003', { timestamp: now, status: 'processing' }),
      task('00000000-0000-4000-8000-000000000004', { timestamp: now, attempts: 10 }),
    ]
    await INSERT.into('cds.outbox.Messages').entries(rows)
    await recoverTasks('SchedulesService')
    await sleep(200)
    expect(await messages()).toHaveLength(2)
    await recoverTasks('SchedulesService', Date.now() + 8 * 86_400_000)
    expect(await messages()).toEqual([])
  })
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
