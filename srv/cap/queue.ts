// CAP's persistent queue, as far as schedules use it. Public: `srv.schedule`, `cds.flush`. Not public: the columns of
// `cds.outbox.Messages`, `srv.options.queued` at run time. Tried with @sap/cds 10.1.1. Why: a task that an instance had begun
// when it died stands as being processed without a time of its attempt, and CAP waits for it without end. Needed until
// CAP takes such tasks up, and tells how many wait.
import cds from '@sap/cds'
import type { AnyEntity } from '../store/entities.ts'
import { facade } from './facade.ts'
import { DAY_MS } from '../store/today.ts'

/** CAP brings the entity, and no type of it. */
const MESSAGES = 'cds.outbox.Messages' as AnyEntity
const ABANDONED_MS = 2 * 60_000
const KEPT_MS = 7 * DAY_MS
/** After these CAP's queue gives a message up. */
const MOST_ATTEMPTS = 10

interface QueuedService {
  options: { queued?: object }
  /** `as` names a task; of the same name there is one. */
  schedule(event: string, data: object): { as(name: string): PromiseLike<unknown> }
}

/** Gives a service a queue of its own, so that slow messages of others do not hold it up. */
export function useOwnQueue(service: object) {
  queuedOf(service).options.queued = {}
}

/** Queues a task of a service in the caller's transaction; of the same name there is one. */
export async function queueTask(service: string, name: string, event: string, data: object) {
  await queuedOf(await cds.connect.to(service))
    .schedule(event, data)
    .as(name)
}

const queuedOf = (service: object) => service as QueuedService

/**
 * Takes up the tasks of a queue that an instance had begun when it died, and forgets those that were given up a week ago.
 */
export async function recoverTasks(queue: string, now = Date.now()) {
  const since = (ms: number) => new Date(now - ms).toISOString()
  await UPDATE.entity(MESSAGES)
    .set({ status: null })
    .where({ target: queue, status: 'processing', timestamp: { '<': since(ABANDONED_MS) } })
  await DELETE.from(MESSAGES).where({ target: queue, timestamp: { '<': since(KEPT_MS) } })
  await facade.flush(queue)
}

/** Forgets the tasks of a queue about an event that its service no longer handles. */
export const forgetTasks = (queue: string, event: string) =>
  DELETE.from(MESSAGES).where({ target: queue, msg: { like: `%"event":"${event}"%` } })

/** How many messages wait in all queues, and how many were given up. */
export async function countMessages() {
  const count = async (where: object) => {
    const row = await SELECT.one.from(MESSAGES).columns('count(*) as n').where(where)
    return Number(row?.n)
  }
  return {
    waiting: await count({ status: null }),
    failed: await count({ attempts: { '>=': MOST_ATTEMPTS } }),
  }
}
