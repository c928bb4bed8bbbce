// Keeps the tasks in step with the proposals, once a second, on every instance.
import cds from '@sap/cds'
import { runDetached } from '../cap/context.ts'
import { advance, renewOld } from './feed/advance.ts'
import { sendDigests } from './mail/digest.ts'

const LOG = cds.log('tasks')
const TICK_MS = 1_000
const MAIL_MS = 300_000
const HOUR_MS = 3_600_000

let timer: NodeJS.Timeout | undefined
let ticking: Promise<void> | undefined
let renewedAt = 0
let mailedAt = 0
let mailing: Promise<void> | undefined

export function startTasks() {
  mailedAt = Date.now()
  timer = setInterval(() => {
    ticking ??= runDetached('tasks', tick)
      .catch((error) => LOG.error('failed:', error))
      .finally(() => (ticking = undefined))
  }, TICK_MS).unref()
}

export async function stopTasks() {
  clearInterval(timer)
  await ticking
}

async function tick() {
  await advance()
  if (Date.now() - mailedAt > MAIL_MS) {
    mailedAt = Date.now()
    // A mail server that hangs holds up no tasks.
    mailing ??= sendDigests()
      .catch((error) => LOG.error('mail failed:', error.message))
      .finally(() => (mailing = undefined))
  }
  if (Date.now() - renewedAt < HOUR_MS) return
  renewedAt = Date.now()
  await renewOld()
}
