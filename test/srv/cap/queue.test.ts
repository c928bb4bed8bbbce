import { randomUUID } from 'node:crypto'
import cds from '@sap/cds'
import { countMessages, forgetTasks, queueTask, recoverTasks } from '../../../srv/cap/queue.ts'
import '../../support/server.ts'
import { entityNamed } from '../../support/rows.ts'

const { DELETE, INSERT, SELECT } = cds.ql

const QUEUE = 'queue test'
const DAY_MS = 86_400_000
const at = (ms: number) => new Date(Date.now() - ms).toISOString()
const messages = () => SELECT.from('cds.outbox.Messages').where({ target: QUEUE }).orderBy('task')
const message = (task: string, more: object) => ({
  ...{ ID: randomUUID(), target: QUEUE, attempts: 0, msg: '{}', task, timestamp: at(0) },
  ...more,
})

afterEach(() => DELETE.from('cds.outbox.Messages').where({ target: QUEUE }))

it('counts what waits and what CAP gave up after ten attempts', async () => {
  const before = await countMessages()
  expect(cds.env.requires.queue).toMatchObject({ maxAttempts: 10 })
  await INSERT.into('cds.outbox.Messages').entries([
    // Due in an hour: CAP's own runner would take one that is due now.
    message('waiting', { timestamp: at(-3_600_000) }),
    message('processing', { status: 'processing' }),
    message('failed', { attempts: 10, status: 'failed' }),
  ])
  expect(await countMessages()).toEqual({
    waiting: before.waiting + 1,
    failed: before.failed + 1,
  })
})

it('lets abandoned tasks wait again, and forgets old ones', async () => {
  await INSERT.into('cds.outbox.Messages').entries([
    message('abandoned', { status: 'processing', attempts: 10, timestamp: at(3 * 60_000) }),
    message('begun', { status: 'processing', attempts: 10, timestamp: at(60_000) }),
    message('old', { attempts: 10, timestamp: at(8 * DAY_MS) }),
  ])
  await recoverTasks(QUEUE)
  expect(await messages()).toMatchObject([
    { task: 'abandoned', status: null },
    { task: 'begun', status: 'processing' },
  ])
})

it('forgets the tasks of an event, and no others', async () => {
  const schedule = (event: string) => queueTask('SchedulesService', `test ${event}`, event, {})
  const waiting = async () => {
    const tasks = await SELECT.from(entityNamed('cds.outbox.Messages'))
      .columns('task')
      .where({ task: { like: 'test %' } })
    return tasks.map(({ task }) => task)
  }
  await cds
    .tx(async () => {
      await schedule('housekeeping')
      await schedule('startSync')
      await forgetTasks('SchedulesService', 'housekeeping')
      expect(await waiting()).toEqual(['test startSync'])
      throw new Error('undone')
    })
    .catch(({ message }: Error) => expect(message).toBe('undone'))
})
