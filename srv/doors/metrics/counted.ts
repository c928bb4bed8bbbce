// What has happened since this instance began to count: syncs that ended, and what became of proposals. Each is counted
// once, however often it is looked.
import { AuditHead, ProposalEvents, readAs, Syncs } from '../../base/database/entities.ts'
import { counter, histogram } from './registry.ts'

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
export async function countSyncs(sources: { ID: number }[]) {
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
export async function countEvents() {
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
