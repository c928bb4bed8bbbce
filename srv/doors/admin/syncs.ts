import type { Request } from '@sap/cds'
import { z } from 'zod'
import { parseInput } from './fields.ts'
import { keyOf, pageOf, readOwnRow, type ODataRow, unlessGone } from './rows.ts'
import { readAs, Syncs } from '../../base/database/entities.ts'
import { readSync, startSync as start } from '../../domain/sync/index.ts'
import { writtenFault } from '../../base/texts/faults.ts'
import { message } from '../../base/texts/texts.ts'

const Mode = z.object({ mode: z.enum(['incremental', 'full'], 'must be incremental or full') })

export async function startSync(request: Request) {
  const { mode } = parseInput(Mode, request.data)
  const { ID } = await start({ source: keyOf(request)!, mode })
  return readOwnRow('Syncs', { ID })
}

/** Progress of a sync; `phases` and `issues` are JSON. */
interface Progress {
  status: string
  phase: string | null
  rowsRead: number | null
  done: number | null
  unit: string | null
  phases: string | null
  issues: string | null
}

/** Adds the unit in words, rate, estimated end and number of issues. */
export async function addSyncProgress(row: ODataRow) {
  if (row.ID === undefined) return
  const sync = (await readAs<Progress>(
    SELECT.one
      .from(Syncs)
      .columns('status', 'phase', 'rowsRead', 'done', 'unit', 'phases', 'issues')
      .where({ ID: row.ID }),
  ))!
  const isRunning = sync.status === 'running'
  const estimatedEndAt = isRunning ? (await readSync(row.ID as number)).estimatedEndAt : null
  Object.assign(row, {
    unitText: sync.unit && message(`counted_${sync.unit}`),
    ratePerSecond: isRunning ? rateOf(sync) : null,
    estimatedEndAt,
    issueCount: (JSON.parse(sync.issues ?? '[]') as unknown[]).length,
  })
}

/** Rows a second in the reading phase, series a second in later ones, since the phase began. */
function rateOf({ phase, rowsRead, done, phases }: Progress): number | null {
  const present = (JSON.parse(phases ?? '[]') as { startedAt: string }[]).at(-1)
  const seconds = present ? (Date.now() - Date.parse(present.startedAt)) / 1000 : 0
  const count = Number(phase === 'reading' ? rowsRead : done)
  return seconds > 0 && count > 0 ? Math.round(count / seconds) : null
}

/** Names the stream of a rejected record as everywhere else, and says what is wrong with it. */
export function nameRecord(row: ODataRow) {
  if (typeof row.message === 'string') row.message = writtenFault(row.message)
  if ('record' in row) row.recordText = streamName(row.record)
}

const streamName = (stream: unknown) => (stream ? message(`stream_${stream as string}`) : null)

/** Issues and notes of the sync in the path; without one, of the last sync of each source. */
export async function readSyncIssues(request: Request) {
  const sync = keyOf(request)
  const IDs = sync === undefined ? await lastSyncs() : [sync]
  const found = await Promise.all(IDs.map((ID) => unlessGone(readSync(ID))))
  const syncs = found.filter((each) => each !== null)
  const rows = syncs.flatMap(({ ID, issues, notes }) =>
    [...issues, ...notes].map(({ code, stream, key, message: said, impact, remedy }, at) => ({
      sync: ID,
      line: at + 1,
      code,
      message: writtenFault(said),
      impact,
      remedy,
      isNote: at >= issues.length,
      stream,
      place: key,
      streamText: streamName(stream),
    })),
  )
  return pageOf(request, rows)
}

async function lastSyncs(): Promise<number[]> {
  const rows = await readAs<{ ID: number }>(
    SELECT.from(Syncs).columns('max(ID) as ID').groupBy('source_ID'),
  )
  return rows.map(({ ID }) => ID)
}
