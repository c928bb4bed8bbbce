// Starts due syncs. The row of a schedule moves on in the transaction that starts its sync, so that only one of several
// instances starts it. After a crash, or while the database is away, the next round finds what was missed.
import cds from '@sap/cds'
import { isRefusal } from '../../base/errors.ts'
import { nextRun } from '../../base/time/cron.ts'
import { readAs, Schedules, Sources } from '../../base/database/entities.ts'
import { insertIfAbsent } from '../../base/database/rows.ts'
import { usualZone } from '../../base/time/days.ts'
import { settings } from '../../base/settings/config.ts'
import { Worker } from '../../base/work/worker.ts'
import { lapseDelegations } from '../../domain/authority/index.ts'
import { lapseKeys } from '../../domain/keys/index.ts'
import { housekeepProposals } from '../../domain/proposals/index.ts'
import { removeAbandoned } from '../../domain/sources/index.ts'
import { startSync } from '../../domain/sync/index.ts'

const LOG = cds.log('schedule')
const MINUTE_MS = 60_000
/** What is due begins so much later at most. */
const LOOK_MS = 10_000

interface Schedule {
  name: string
  expression: string
  /** Null for UTC. */
  timeZone: string | null
  /** Null for never. */
  dueAt: string | null
}

/** Starts the syncs that are due by `now`, each once however often it was missed. */
export async function startDue(now = new Date()) {
  const before = await readSchedules()
  const groups = await syncsBySource()
  for (const sync of groups.flat()) await storeSchedule(sync, before.get(sync.name), now)
  const known = await readSchedules()
  const faults: unknown[] = []
  for (const group of groups) {
    const due = group.filter(({ name }) => isDue(known.get(name), now))
    // A failure at one source does not keep others from starting.
    if (due.length) await startFirst(due, known, now).catch((error: unknown) => faults.push(error))
  }
  if (faults.length) throw faults[0]
}

async function readSchedules(): Promise<Map<string, Schedule>> {
  const rows = await readAs<Schedule>(SELECT.from(Schedules))
  return new Map(rows.map((row) => [row.name, row]))
}

const isDue = (schedule: Schedule | undefined, now: Date) =>
  !!schedule?.dueAt && Date.parse(schedule.dueAt) <= now.getTime()

/** Creates the row of a schedule, or changes its expression. A row that another instance has just created stays. */
async function storeSchedule(
  { name, expression, timeZone }: Scheduled,
  row: Schedule | undefined,
  now: Date,
) {
  if (row?.expression === expression && row.timeZone === timeZone) return
  const thisMinute = new Date(Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS)
  const dueAt = timeOf(nextRun(expression, thisMinute, timeZone ?? 'UTC'))
  if (row) {
    await UPDATE.entity(Schedules)
      .set({ expression, timeZone, dueAt })
      .where({ name, expression: row.expression })
    return
  }
  await insertIfAbsent(Schedules, { name }, { expression, timeZone, dueAt })
}

/** Only the first due sync of a source is started, since a full sync reads the changes too. */
async function startFirst(due: ScheduledSync[], known: Map<string, Schedule>, now: Date) {
  await cds.tx(async () => {
    const won: ScheduledSync[] = []
    for (const sync of due) if (await advance(sync, known.get(sync.name)!, now)) won.push(sync)
    const [first] = won
    if (!first) return
    const { source, mode } = first
    await startSync({ source, mode, isAutomatic: true }).catch((error: unknown) => {
      if (!isRefusal(error)) throw error
      const { dueAt } = known.get(first.name)!
      LOG.info(`the ${mode} sync of src_${source} due at ${dueAt} is skipped: ${error.message}`)
    })
  })
}

/** @returns whether this caller has moved it */
async function advance({ name, expression, timeZone }: Scheduled, { dueAt }: Schedule, now: Date) {
  const next = timeOf(nextRun(expression, new Date(now.getTime() + 1), timeZone ?? 'UTC'))
  const moved: unknown = await UPDATE.entity(Schedules)
    .set({ dueAt: next })
    .where({ name, expression, dueAt })
  return moved === 1
}

const timeOf = (date: Date | null) => date?.toISOString() ?? null

interface Scheduled {
  name: string
  /** A cron expression, or `off`. */
  expression: string
  /** The time zone; null for UTC. */
  timeZone: string | null
}

interface ScheduledSync extends Scheduled {
  source: number
  mode: 'full' | 'incremental'
}

interface ScheduledSource {
  ID: number
  /** Null for the configured one. */
  fullSchedule: string | null
  incrementalSchedule: string | null
  options: string | null
}

/** The full sync of a source comes first. */
async function syncsBySource(): Promise<ScheduledSync[][]> {
  const { full, incremental } = settings().schedules
  const sources = await readAs<ScheduledSource>(
    SELECT.from(Sources)
      .columns('ID', 'fullSchedule', 'incrementalSchedule', 'options')
      .where({ status: { in: ['connected', 'failing'] } }),
  )
  return sources.map(({ ID, fullSchedule, incrementalSchedule, options }) => {
    const timeZone = storedZone(usualZone(options))
    return [
      { ...scheduledSync(ID, 'full', fullSchedule ?? full), timeZone },
      { ...scheduledSync(ID, 'incremental', incrementalSchedule ?? incremental), timeZone },
    ]
  })
}

const storedZone = (zone: string) => (zone === 'UTC' ? null : zone)

const scheduledSync = (
  source: number,
  mode: ScheduledSync['mode'],
  expression: string,
): Omit<ScheduledSync, 'timeZone'> => ({
  ...{ name: `src_${source} ${mode}`, source, mode },
  expression: expression || 'off',
})

/** How long one instance may take for housekeeping before another one begins. */
const HOUSEKEEPING_MS = 15 * MINUTE_MS

/** Does the housekeeping that is due by `now`, and not what another instance does; if it fails it is due again later. */
export async function keepHouse(now = new Date()) {
  const { schedules, timeZone } = settings()
  const [name, expression] = ['housekeeping', schedules.housekeeping]
  const job = { name, expression, timeZone: storedZone(timeZone) }
  await storeSchedule(job, (await readSchedules()).get(name), now)
  const schedule = (await readSchedules()).get(name)
  if (!isDue(schedule, now)) return
  const atLatest = new Date(now.getTime() + HOUSEKEEPING_MS).toISOString()
  const { dueAt } = schedule!
  const taken: unknown = await UPDATE.entity(Schedules)
    .set({ dueAt: atLatest })
    .where({ name, expression, dueAt })
  if (taken !== 1) return
  await housekeepProposals()
  await lapseKeys()
  await lapseDelegations()
  await removeAbandoned()
  await advance(job, { ...schedule!, dueAt: atLatest }, now)
}

/** Starts what is due by now, or was missed while the service was down. */
export const scheduleWorker = new Worker({
  name: 'schedule',
  every: LOOK_MS,
  isVital: true,
  work: () => startDue(),
})

export const housekeepingWorker = new Worker({
  name: 'housekeeping',
  every: MINUTE_MS,
  deadlineSeconds: HOUSEKEEPING_MS / 1000,
  work: () => keepHouse(),
})
