import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import cds from '@sap/cds'
import { connectSource } from '../../srv/domain/sources/index.ts'
import { readSync, startSync } from '../../srv/domain/sync/index.ts'

/** Starts the service on a free port for the tests of one file. */
export const server = cds.test(path.resolve(import.meta.dirname, '../..'))

/** Its address; set before the file's tests start. */
export const serverUrl = () => (server as unknown as { url: string }).url

/** Writes the files of a csv source to the test's folder; null removes a file. @returns the account */
export async function writeFiles(account: string, files: Record<string, string | null>) {
  const folder = path.join(process.env.RESTOCK_CSV_ROOT!, account)
  await mkdir(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name)
    await (text === null ? rm(file) : writeFile(file, text))
  }
  return account
}

/** Sources of one test file may have the same SKUs: the newest leads, unless a test wants it otherwise. */
let precedence = 9_000

/** Connects a csv source with these files. @returns its number */
export async function connectFiles(account: string, files: Record<string, string>, more = {}) {
  await writeFiles(account, files)
  const wish = { type: 'csv', account, role: 'reader', precedence: precedence--, ...more }
  const { ID } = await connectSource(wish)
  return ID
}

/** Starts a sync and waits for its end. */
export async function sync(source: number, mode: 'full' | 'incremental' = 'incremental') {
  return finished((await startSync({ source, mode })).ID)
}

export async function finished(ID: number) {
  // Whoever asks all the time takes the time from the sync.
  for (let pause = 20; ; pause = Math.min(200, 1.3 * pause)) {
    const state = await readSync(ID)
    if (!['queued', 'running'].includes(state.status)) return state
    await sleep(pause)
  }
}

/** The day `days` before today, `YYYY-MM-DD`. */
export const daysAgo = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** A demand file with the same quantity on each of the last days before today. */
export function steadyDemand(skus: string[], { days = 60, quantity = 4, location = 'L1' } = {}) {
  const lines = ['sku,location,date,quantity']
  for (const sku of skus) {
    for (let day = days; day > 0; day--)
      lines.push(`${sku},${location},${daysAgo(day)},${quantity}`)
  }
  return `${lines.join('\n')}\n`
}
