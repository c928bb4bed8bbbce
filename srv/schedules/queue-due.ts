// Finds what is due and queues it. The row of a schedule moves on in the transaction that queues its
// work: of several instances one does so, and a crash leaves both or none.
import cds from '@sap/cds'
import { queueTask, recoverTasks } from '../cap/queue.ts'
import { nextRun } from '../cron.ts'
import { readAs, Schedules, Sources } from '../store/entities.ts'
import { insertOnce } from '../store/insert-once.ts'
import { settings } from '../config.ts'
import { Worker } from '../worker.ts'

const MINUTE_MS = 60_000

interface Schedule {
  name: string
  expression: string
  /** Null for never. */
  dueAt: string | null
}

/** Queues the work that is due by `now`, once however often it was missed. */
export async function queueDue(now = new Date()) {
  const before = await readSchedules()
  const groups = await jobGroups()
  for (const job of groups.flat()) await storeSchedule(job, before.get(job.name), now)
  const known = await readSchedules()
  for (const group of groups) {
    const due = group.filter(({ name }) => isDue(known.get(name), now))
    if (due.length) await cds.tx(() => queueFirst(due, known, now))
  }
}

async function readSchedules(): Promise<Map<string, Schedule>> {
  const rows = await readAs<Schedule>(SELECT.from(Schedules))
  return new Map(rows.map((row) => [row.name, row]))
}

const isDue = (schedule: Schedule | undefined, now: Date) =>
  !!schedule?.dueAt && Date.parse(schedule.dueAt) <= now.getTime()

/** Makes the row of a schedule, or gives it another expression. Never moves one that another instance made. */
async function storeSchedule({ name, expression }: Job, row: Schedule | undefined, now: Date) {
  if (row?.expression === expression) return
  const thisMinute = new Date(Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS)
  const dueAt = timeOf(nextRun(expression, thisMinute))
  if (row) {
    await UPDATE.entity(Schedules)
      .set({ expression, dueAt })
      .where({ name, expression: row.expression })
    return
  }
  await insertOnce(Schedules, { name }, { expression, dueAt })
}

async function queueFirst(due: Job[], known: Map<string, Schedule>, now: Date) {
  const won: Job[] = []
  for (const job of due) if (await advanceSchedule(job, known.get(job.name)!, now)) won.push(job)
  const first = won[0]
  if (!first) return
  const dueAt = known.get(first.name)!.dueAt!
  const time = new Date(dueAt).toISOString()
  const data = { ...first.data, dueAt: time }
  await queueTask('SchedulesService', `${first.name} ${time}`, first.event, data)
}

/** @returns whether this caller is the one that moved it */
async function advanceSchedule({ name, expression }: Job, { dueAt }: Schedule, now: Date) {
  const next = timeOf(nextRun(expression, new Date(now.getTime() + 1)))
  const moved: unknown = await UPDATE.entity(Schedules)
    .set({ dueAt: next })
    .where({ name, expression, dueAt })
  return moved === 1
}

const timeOf = (date: Date | null) => date?.toISOString() ?? null

/** Recurring work, as the SchedulesService does it. */
interface Job {
  name: string
  /** A cron expression in UTC, or `off`. */
  expression: string
  event: 'startSync' | 'housekeeping'
  data: object
}

interface ScheduledSource {
  ID: number
  /** Null takes the configured one. */
  fullSchedule: string | null
  incrementalSchedule: string | null
}

/** All recurring work. Of a group only the first that is due is done: a full sync reads the changes too. */
async function jobGroups(): Promise<Job[][]> {
  const { full, incremental, housekeeping } = settings().schedules
  const sources = await readAs<ScheduledSource>(
    SELECT.from(Sources)
      .columns('ID', 'fullSchedule', 'incrementalSchedule')
      .where({ status: { in: ['connected', 'failing'] } }),
  )
  return [
    [{ name: 'housekeeping', expression: housekeeping, event: 'housekeeping', data: {} }],
    ...sources.map(({ ID, fullSchedule, incrementalSchedule }) => [
      syncJob(ID, 'full', fullSchedule ?? full),
      syncJob(ID, 'incremental', incrementalSchedule ?? incremental),
    ]),
  ]
}

const syncJob = (source: number, mode: string, expression: string): Job => ({
  name: `src_${source} ${mode}`,
  expression: expression || 'off',
  event: 'startSync',
  data: { source, mode },
})

/** Queues what is due by now, or was missed while the service was down. */
export const scheduleWorker = new Worker({
  name: 'schedule',
  every: '* * * * *',
  async work() {
    await queueDue()
    await recoverTasks('SchedulesService')
  },
})
