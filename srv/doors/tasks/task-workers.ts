import { Worker } from '../../base/work/worker.ts'
import { advanceTasks, restampOldTasks } from './feed/advance.ts'
import { sendDigests } from './digest.ts'

/** A large run leaves much to do. */
const LONG_S = 600

export const taskWorkers = [
  /** Keeps the tasks in step with the proposals. */
  new Worker({
    ...{ name: 'tasks', every: 1_000, deadlineSeconds: LONG_S, isVital: true },
    work: advanceTasks,
  }),
  new Worker({
    name: 'old tasks',
    every: 3_600_000,
    deadlineSeconds: LONG_S,
    work: restampOldTasks,
  }),
  /** A mail server that hangs does not hold up the shutdown. */
  new Worker({ name: 'mail', every: 300_000, work: () => sendDigests(), isAwaited: false }),
]
