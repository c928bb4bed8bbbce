// What is measured of the installation: figures of the database, the same at every instance. One read serves all scrapes
// of ten seconds; while the database is away there are none.
import cds from '@sap/cds'
import { isDatabaseAway } from '../../base/cap/connection-pool.ts'
import { runDetached } from '../../base/cap/context.ts'
import { isFileGone } from '../../base/database/database-file.ts'
import { within } from '../../base/work/within.ts'
import { countEvents, countSyncs } from './counted.ts'
import { gauge } from './registry.ts'
import { readSources, readStates, type Sample, STATES } from './states.ts'

const FRESH_MS = 10_000
/** How long a scrape waits for them. */
const PATIENCE_MS = 2_000
/** How long the figures of the last read are shown while the next one takes its time. */
const KEPT_MS = 60_000

const LOG = cds.log('metrics')

const up = gauge('database_up', 'Whether the database answered within two seconds.')
const seconds = gauge('figures_read_seconds', 'How long the last read of the figures below took.')
const age = gauge('figures_age_seconds', 'How old they are.')

let reading: Promise<boolean> | undefined
let readAt = -Infinity
let lastFault: string | undefined

/** Reads the figures anew where they are older than ten seconds. Never fails, and takes two seconds at most. */
export async function refreshFigures() {
  const isAway = () => isFileGone() || isDatabaseAway()
  let isThere = !isAway()
  if (isThere && performance.now() - readAt > FRESH_MS) {
    // One that hangs is not begun a second time.
    reading ??= readFigures().finally(() => (reading = undefined))
    isThere = (await within(reading, PATIENCE_MS).catch(isLateFine)) && !isAway()
  }
  up.set(Number(isThere))
  const milliseconds = performance.now() - readAt
  if (isAway() || milliseconds > KEPT_MS) forget()
  else age.set(milliseconds / 1000)
}

/** The one connection of SQLite may be busy for a while: no answer yet is none that it cannot give. */
const isLateFine = () => cds.db.kind === 'sqlite'

function forget() {
  readAt = -Infinity
  for (const metric of STATES) metric.reset()
  for (const metric of [seconds, age]) metric.remove()
}

/** @returns whether the database has answered */
async function readFigures(): Promise<boolean> {
  const began = performance.now()
  try {
    const samples = await runDetached('metrics', () => cds.tx(readAll))
    for (const metric of STATES) metric.reset()
    for (const [metric, labels, value] of samples) metric.set(labels, value)
    readAt = performance.now()
    seconds.set((readAt - began) / 1000)
    lastFault = undefined
    return true
  } catch (error) {
    const { message } = error as Error
    if (message !== lastFault) LOG.warn('the figures cannot be read:', message)
    lastFault = message
    return false
  }
}

async function readAll(): Promise<Sample[]> {
  const sources = await readSources()
  const samples = await readStates(sources)
  await countSyncs(sources)
  await countEvents()
  return samples
}
