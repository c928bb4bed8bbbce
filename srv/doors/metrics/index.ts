// What a Prometheus asks for: `/metrics` at a port of its own, which the public one does not lead to.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import cds from '@sap/cds'
import { isDatabaseAway } from '../../base/cap/connection-pool.ts'
import { runDetached } from '../../base/cap/context.ts'
import { isFileGone } from '../../base/database/database-file.ts'
import { AuditHead, ProposalEvents, readAs, Syncs } from '../../base/database/entities.ts'
import { guardConnections } from '../../base/http/guards.ts'
import { settings } from '../../base/settings/config.ts'
import { within } from '../../base/work/worker.ts'
import { counter, gauge, histogram, measureProcess, registry } from './registry.ts'
import { readSources, readStates, type Sample, STATES } from './states.ts'

export { measureCalls } from './registry.ts'

const LOG = cds.log('metrics')

let server: Server | undefined

/** Whether metrics are asked for. */
export const isMeasured = () => settings().metrics.port !== null

/** Listens where the settings say, if they do. What is counted is counted from now on. A port in use does not end the service. */
export async function serveMetrics() {
  const { port, host } = settings().metrics
  if (port === null) return
  measureProcess()
  await refreshFigures()
  server = createServer((req, res) => void answer(req, res))
  guardConnections(server)
  try {
    await once(server.listen(port, host), 'listening')
    LOG.info(`metrics: http://${host}:${port}/metrics`)
  } catch (error) {
    LOG.error('the metrics are not served:', (error as Error).message)
  }
}

async function answer({ method = '', url = '' }: IncomingMessage, res: ServerResponse) {
  res.setHeader('Cache-Control', 'no-store')
  if (!/^\/metrics(\?|$)/.test(url)) return void res.writeHead(404).end()
  if (!['GET', 'HEAD'].includes(method))
    return void res.writeHead(405, { Allow: 'GET, HEAD' }).end()
  try {
    await refreshFigures()
    const text = await registry.metrics()
    res.writeHead(200, { 'Content-Type': registry.contentType }).end(text)
  } catch (error) {
    LOG.error('a scrape failed:', error)
    res.writeHead(500).end()
  }
}

/** At shutdown. */
export async function closeMetrics() {
  if (!server?.listening) return
  server.closeIdleConnections()
  await new Promise((done) => server!.close(done))
}

// What is measured of the installation: figures of the database, the same at every instance. One read serves all scrapes
// of ten seconds; while the database is away there are none.

const FRESH_MS = 10_000
/** How long a scrape waits for them. */
const PATIENCE_MS = 2_000
/** How long the figures of the last read are shown while the next one takes its time. */
const KEPT_MS = 60_000

const up = gauge('database_up', 'Whether the database answered within two seconds.')
const seconds = gauge('figures_read_seconds', 'How long the last read of the figures below took.')
const age = gauge('figures_age_seconds', 'How old they are.')

let reading: Promise<boolean> | undefined
let readAt = -Infinity
let lastFault: string | undefined

/** Reads the figures anew where they are older than ten seconds. Never fails, and takes two seconds at most. */
async function refreshFigures() {
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

// What has happened since this instance began to count: syncs that ended, and what became of proposals. Each is counted
// once, however often it is looked.

const durations = histogram(
  'sync_duration_seconds',
  'Time from the begin of a sync to its end.',
  ['source', 'mode', 'result'],
  [1, 10, 60, 300, 900, 3600, 14_400],
)
const rows = counter('sync_rows_total', 'Records that syncs have read, and what became of them.', [
  'source',
  'result',
])

const SYNC_COLUMNS = ['ID', 'source_ID', 'mode', 'status', 'startedAt', 'finishedAt'] as const
const ROW_COLUMNS = ['rowsRead', 'upserted', 'unchanged', 'deleted', 'quarantined'] as const

interface SyncRow extends Record<(typeof ROW_COLUMNS)[number], number | null> {
  ID: number
  source_ID: number
  mode: string
  status: string
  startedAt: string | null
  finishedAt: string | null
}

/** All syncs up to the first number are counted, or ended before; of later ones those in the set. */
let counted: { upTo: number; besides: ReadonlySet<number> } | undefined

/** The first call counts none: from then on. */
async function countSyncs(sources: { ID: number }[]) {
  // A first failure shows as growth only where there was a 0 before.
  for (const { ID } of sources) prepareSource(`src_${ID}`)
  const before = counted ?? { upTo: await lastEndedSync(), besides: new Set<number>() }
  const later = await readAs<SyncRow>(
    SELECT.from(Syncs)
      .columns(...SYNC_COLUMNS, ...ROW_COLUMNS)
      .where({ ID: { '>': before.upTo } })
      .orderBy('ID'),
  )
  const ended = later.filter(({ finishedAt }) => finishedAt !== null)
  if (counted) for (const sync of ended) if (!before.besides.has(sync.ID)) observeSync(sync)
  const firstOpen = later.findIndex(({ finishedAt }) => finishedAt === null)
  const closed = firstOpen < 0 ? later : later.slice(0, firstOpen)
  const upTo = closed.at(-1)?.ID ?? before.upTo
  counted = { upTo, besides: new Set(ended.map(({ ID }) => ID).filter((ID) => ID > upTo)) }
}

/** The last one before which all have ended. */
async function lastEndedSync(): Promise<number> {
  const unfinished = await SELECT.one
    .from(Syncs)
    .columns('ID')
    .where({ activeFor: { '!=': null } })
    .orderBy('ID')
  const before = unfinished ? { ID: { '<': unfinished.ID } } : {}
  const last = await SELECT.one.from(Syncs).columns('ID').where(before).orderBy('ID desc')
  return last?.ID ?? 0
}

const prepared = new Set<string>()

function prepareSource(source: string) {
  if (prepared.has(source)) return
  prepared.add(source)
  for (const mode of ['incremental', 'full']) durations.zero({ source, mode, result: 'failed' })
  for (const result of ROW_COLUMNS) rows.inc({ source, result: labelOf(result) }, 0)
}

function observeSync(sync: SyncRow) {
  const { source_ID, mode, status, startedAt, finishedAt } = sync
  const source = `src_${source_ID}`
  const milliseconds = Date.parse(finishedAt!) - Date.parse(startedAt ?? finishedAt!)
  durations.observe({ source, mode, result: status }, Math.max(0, milliseconds) / 1000)
  for (const result of ROW_COLUMNS)
    rows.inc({ source, result: labelOf(result) }, Number(sync[result] ?? 0))
}

const LABELS: Partial<Record<string, string>> = { rowsRead: 'read', quarantined: 'rejected' }
const labelOf = (column: string) => LABELS[column] ?? column

const events = counter(
  'proposal_events_total',
  'What happened to proposals: decisions of people, and what the service did.',
  ['event', 'via'],
)

const DECISIONS = ['approved', 'awaiting_second_approval', 'rejected', 'snoozed', 'cancelled']
const DOORS = ['api', 'ui', 'task_center', 'my_inbox']
for (const event of DECISIONS) for (const via of DOORS) events.inc({ event, via }, 0)

/** The place in the audit trail up to which they are counted. */
let place: number | undefined

/** The first call counts none. Events have their place in the audit trail some seconds after they happened. */
async function countEvents() {
  const head = await SELECT.one.from(AuditHead).columns('seq').where({ ID: 1 })
  const end = Number(head?.seq ?? 0)
  const found =
    place === undefined || end <= place
      ? []
      : await readAs<{ event: string; via: string; n: number }>(
          SELECT.from(ProposalEvents)
            .columns('event', 'via', 'count(*) as n')
            .where({ seq: { between: place + 1, and: end } })
            .groupBy('event', 'via'),
        )
  for (const { event, via, n } of found) events.inc({ event, via }, Number(n))
  place = end
}
