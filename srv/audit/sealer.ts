import cds from '@sap/cds'
import { runDetached } from '../cap/context.ts'
import { seal } from './seal.ts'

/** What was committed longer ago than this, and how long sealing takes, is sealed. */
const EVERY_MS = 2_000

let timer: NodeJS.Timeout | undefined
let running: Promise<unknown> | undefined

/** Seals what was committed, again and again, one round at a time. */
export function startSealer() {
  timer ??= setInterval(() => {
    running ??= runDetached('audit', seal)
      .catch((error) => {
        if (timer) cds.log('audit').error('Sealing failed:', error)
      })
      .finally(() => (running = undefined))
  }, EVERY_MS).unref()
}

export async function stopSealer() {
  clearInterval(timer)
  timer = undefined
  await running
}
