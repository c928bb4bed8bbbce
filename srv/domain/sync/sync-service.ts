import cds, { type Request } from '@sap/cds'
import type { Sync } from '#cds-models/restock'
import { Refusal } from '../../base/errors.ts'
import { isGivenUp, MOST_ATTEMPTS } from '../../base/work/runs.ts'
import { takeNumbers } from '../../base/database/counters.ts'
import { syncWorker } from './sync-worker.ts'
import { toSync } from './to-sync.ts'
import { Sources, Syncs } from '../../base/database/entities.ts'
import { DAY_MS } from '../../base/time/days.ts'
import { withData, withID } from '../../base/cap/context.ts'
import { toPage } from '../../base/database/rows.ts'

type Mode = 'incremental' | 'full'

export default class SyncService extends cds.ApplicationService {
  override async init() {
    this.on('start', (request: Request<StartOptions>) => {
      request.on('succeeded', () => void syncWorker.wake())
      return startSync(request.data)
    })
    this.on('find', withID(readSync))
    this.on('list', withData(listSyncs))
    this.on('cancel', withID(cancelSync))
    return super.init()
  }
}

interface StartOptions {
  source: number
  mode: Mode
  /** Whether a schedule or a change asks for it, and nobody who knows what has become of the last one. */
  isAutomatic?: boolean | null
}

async function startSync({ source, mode, isAutomatic }: StartOptions) {
  const found = await SELECT.one
    .from(Sources)
    .columns('ID', 'status', 'problem')
    .where({ ID: source })
    .forUpdate()
  if (!found) throw new Refusal('source_not_found', `There is no source src_${source}.`)
  if (!['connected', 'failing'].includes(found.status!)) {
    const problem = found.problem && (JSON.parse(found.problem) as { message: string })
    const why = problem ? problem.message : 'Nobody has consented yet.'
    throw new Refusal('source_not_connected', `src_${source} is not connected. ${why}`)
  }
  const running = await SELECT.one.from(Syncs).columns('ID').where({ activeFor: source })
  if (running) throw inProgress(running.ID)
  const attempted = isAutomatic ? await attemptsLeftOver(source) : {}
  const ID = await takeNumbers('sync')
  const createdAt = new Date().toISOString()
  try {
    await INSERT.into(Syncs).entries({
      ID,
      source_ID: source,
      mode,
      createdAt,
      status: 'queued',
      phase: 'queued',
      issues: '[]',
      activeFor: source,
      ...attempted,
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw inProgress(null)
    throw error
  }
  return await readSync(ID)
}

/** What killed the process thrice would kill it at each due time: once a day it is tried, a single time. */
async function attemptsLeftOver(source: number) {
  const last = await SELECT.one
    .from(Syncs)
    .columns('ID', 'status', 'attempts', 'stuckAt', 'finishedAt')
    .where({ source_ID: source })
    .orderBy('ID desc')
  if (last?.status !== 'failed' || !isGivenUp(last.attempts)) return {}
  const until = Date.parse(String(last.finishedAt)) + DAY_MS
  if (Date.now() < until) {
    throw new Refusal(
      'source_unavailable',
      `sync_${last.ID} was given up, since it ended the process again and again: before ${new Date(until).toISOString()} a person starts the next one.`,
    )
  }
  return { attempts: MOST_ATTEMPTS - 1, stuckAt: last.stuckAt }
}

const isUniqueViolation = (error: unknown) =>
  /unique/i.test(`${(error as Error).message} ${(error as { code?: string }).code}`)

const inProgress = (sync: number | null) =>
  new Refusal('sync_in_progress', 'A sync of this source is running.', {
    members: { sync_id: sync === null ? null : `sync_${sync}` },
  })

async function readSync(ID: number) {
  const row = await SELECT.one.from(Syncs).where({ ID })
  if (!row) throw new Refusal('not_found', `There is no sync sync_${ID}.`)
  return await toSyncWithEstimate(row)
}

/** How long its later phases will take is told by the sync before it. */
async function toSyncWithEstimate(row: Sync) {
  if (row.status !== 'running') return toSync(row)
  const { ID, source_ID, mode } = row
  const before = await SELECT.one
    .from(Syncs)
    .columns('phases', 'finishedAt')
    .where({ source_ID, mode, ID: { '<': ID }, status: { in: ['succeeded', 'partial'] } })
    .orderBy('ID desc')
  return toSync(row, before ?? null)
}

interface ListOptions {
  source: number
  /** The last ID seen. */
  after?: string
  limit: number
}

/** Newest first. */
async function listSyncs({ source, after, limit }: ListOptions) {
  const where = { source_ID: source, ...(after && { ID: { '<': Number(after) } }) }
  const rows = await SELECT.from(Syncs)
    .where(where)
    .orderBy('ID desc')
    .limit(limit + 1)
  const page = toPage(rows, limit, ({ ID }) => ID)
  const data = []
  for (const row of page.data) data.push(await toSyncWithEstimate(row))
  return { ...page, data }
}

async function cancelSync(ID: number) {
  const { status } = await readSync(ID)
  if (!['queued', 'running'].includes(status)) {
    throw new Refusal('sync_already_finished', `sync_${ID} has ended: ${status}.`, {
      members: { current_status: status },
    })
  }
  await UPDATE.entity(Syncs).set({ cancelRequested: true }).where({ ID })
  await UPDATE.entity(Syncs)
    .set({ status: 'cancelled', activeFor: null, finishedAt: new Date().toISOString() })
    .where({ ID, status: 'queued' })
  return await readSync(ID)
}
