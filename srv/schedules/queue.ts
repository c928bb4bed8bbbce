// CAP's persistent queue, as far as schedules use it; its types do not know all of it yet.
import cds from '@sap/cds'

/** The queue of the service of this name: slow messages of others do not hold schedules up. */
export const QUEUE = 'SchedulesService'

interface Task extends PromiseLike<unknown> {
  as(name: string): PromiseLike<unknown>
}

interface Queued {
  options: object
  schedule(event: string, data: object): Task
}

/** Queues a task in the caller's transaction; of the same name there is one. */
export async function enqueue(name: string, event: string, data: object) {
  const service = (await cds.connect.to(QUEUE)) as unknown as Queued
  await service.schedule(event, data).as(name)
}

/** Takes up what waits in the queue. */
export const flush = () => (cds as unknown as { flush(queue: string): Promise<void> }).flush(QUEUE)

/** Gives a service a queue of its own. */
export function ownQueue(service: object) {
  Object.assign((service as Queued).options, { queued: {} })
}
