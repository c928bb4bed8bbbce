import type { Source } from '#cds-models/restock'
import type { StreamCheck } from '../../../adapters/adapter.ts'
import { writeAuditLog } from '../../base/database/audit.ts'
import { type Row as Stored, Sources, Syncs } from '../../base/database/entities.ts'
import { DEFAULT_PRECEDENCE } from '../../base/database/leads.ts'
import { toPage } from '../../base/database/rows.ts'
import { Refusal } from '../../base/errors.ts'
import { settings } from '../../base/settings/config.ts'
import { NEVER, nextRun } from '../../base/time/cron.ts'
import { usualZone } from '../../base/time/days.ts'
import { findOpenConsent } from './consent/waiting-source.ts'
import type { Problem } from './problems.ts'

/** Cron expressions by the clocks of the source's time zone, or `off`; null is the configured schedule, undefined changes nothing. */
export interface ScheduleChange {
  fullSchedule?: string | null
  incrementalSchedule?: string | null
}

const MODES = [
  ['full', 'fullSchedule'],
  ['incremental', 'incrementalSchedule'],
] as const

type SchedulesRow = Pick<Source, 'status' | 'fullSchedule' | 'incrementalSchedule' | 'options'>

/** The schedules of a source: its own ones, else the configured ones. */
function schedulesOf(row: SchedulesRow) {
  const isOpen = row.status === 'connected' || row.status === 'failing'
  const timeZone = usualZone(row.options)
  const scheduleOf = (own: unknown, configured: string) => {
    const expression = String(own ?? configured) || NEVER
    const next = isOpen ? nextRun(expression, new Date(), timeZone) : null
    return {
      expression,
      isDefault: own === null || own === undefined,
      nextRunAt: next?.toISOString() ?? null,
    }
  }
  const { full, incremental } = settings().schedules
  return {
    full: scheduleOf(row.fullSchedule, full),
    incremental: scheduleOf(row.incrementalSchedule, incremental),
  }
}

/** Stores changed schedules and their entry in the audit log, in the caller's transaction. */
export async function storeSchedules(ID: number, wanted: ScheduleChange) {
  const before = (await SELECT.one
    .from(Sources)
    .columns('fullSchedule', 'incrementalSchedule')
    .where({ ID }))!
  const changed = MODES.flatMap(([mode, column]) => {
    const [from, to] = [before[column] ?? null, wanted[column]]
    return to === undefined || to === from ? [] : [{ mode, column, from, to }]
  })
  if (!changed.length) return
  await UPDATE.entity(Sources)
    .set(Object.fromEntries(changed.map(({ column, to }) => [column, to])))
    .where({ ID })
  const changes = changed.map(
    ({ mode, from, to }) => `${mode}: ${from ?? 'default'} → ${to ?? 'default'}`,
  )
  await writeAuditLog('source.schedules_changed', `src_${ID}`, changes.join('; '))
}

/** Pairs of a source that another one leads. */
interface LedPairs {
  source: number
  pairs: number
}

/** How many pairs of each of these sources others lead, as the last sync of either has settled it. */
async function readLedPairs(sources: number[]): Promise<Map<number, LedPairs[]>> {
  if (!sources.length) return new Map()
  const rows = (await SELECT.from('restock.Series')
    .columns('source_ID as of', 'ledBy as source', 'count(*) as pairs')
    .where({ source_ID: { in: sources }, ledBy: { '!=': null } })
    .groupBy('source_ID', 'ledBy')
    .orderBy('ledBy')) as { of: number; source: number; pairs: unknown }[]
  const counts = rows.map(({ of, source, pairs }) => ({ of, source, pairs: Number(pairs) }))
  const bySource = Map.groupBy(counts, ({ of }) => of)
  return new Map(
    [...bySource].map(([of, led]) => [of, led.map(({ source, pairs }) => ({ source, pairs }))]),
  )
}

/** Stores a changed precedence and its entry in the audit log, in the caller's transaction. */
export async function storePrecedence(ID: number, precedence: number) {
  const row = await SELECT.one.from(Sources).columns('precedence').where({ ID })
  const before = row?.precedence ?? DEFAULT_PRECEDENCE
  if (before === precedence) return
  await UPDATE.entity(Sources).set({ precedence }).where({ ID })
  await writeAuditLog('source.precedence_changed', `src_${ID}`, `${before} → ${precedence}`)
}

type Row = Stored<Source>

const parseJson = <T>(json: unknown, otherwise: T) =>
  json ? (JSON.parse(String(json)) as T) : otherwise

async function toSource(row: Row, ledBy: LedPairs[]) {
  const last = await SELECT.one
    .from(Syncs)
    .columns('ID', 'status', 'finishedAt')
    .where({ source_ID: row.ID })
    .orderBy('ID desc')
  const { ID, type, account, role, baseUrl, status, createdAt, dataAsOf } = row
  const consentExpiresAt = await findOpenConsent(ID)
  return {
    ...{ ID, type, account, role, baseUrl, status, createdAt, dataAsOf },
    demo: row.demo === true,
    neededRights: parseJson<string[]>(row.neededRights, []),
    grantedRights: parseJson<string[]>(row.grantedRights, []),
    checks: parseJson<StreamCheck[]>(row.checks, []),
    problem:
      parseJson<Problem | null>(row.problem, null) ?? expiredProblem(status, consentExpiresAt),
    checkedAt: row.checkedAt ? new Date(String(row.checkedAt)).toISOString() : null,
    timeZone: usualZone(row.options),
    schedules: schedulesOf(row),
    precedence: row.precedence ?? DEFAULT_PRECEDENCE,
    ledBy,
    lastSync: last ?? null,
    authorizationUrl: null,
    consentExpiresAt,
    consentEndsAt: row.consentEndsAt ? new Date(String(row.consentEndsAt)).toISOString() : null,
  }
}

const expiredProblem = (status: unknown, consentExpiresAt: string | null): Problem | null =>
  status === 'pending_consent' && !consentExpiresAt
    ? { code: 'consent_expired', message: 'Nobody consented in time: connect again.' }
    : null

export async function readSource(ID: number) {
  const row = await SELECT.one.from(Sources).where({ ID })
  if (!row) throw new Refusal('source_not_found', `There is no source src_${ID}.`)
  return await toSource(row, (await readLedPairs([ID])).get(ID) ?? [])
}

/** Newest first; `after` is the last ID of the page before. */
export async function listSources({ after, limit }: { after?: string | null; limit: number }) {
  const rows = await SELECT.from(Sources)
    .where(after ? { ID: { '<': Number(after) } } : {})
    .orderBy('ID desc')
    .limit(limit + 1)
  const page = toPage(rows, limit, ({ ID }) => ID)
  const data = []
  const led = await readLedPairs(page.data.map(({ ID }) => ID))
  for (const row of page.data) data.push(await toSource(row, led.get(row.ID) ?? []))
  return { ...page, data }
}

/** @throws Refusal source_not_found */
export async function changeSchedules({ ID, ...wanted }: { ID: number } & ScheduleChange) {
  await readSource(ID)
  await storeSchedules(ID, wanted)
  return readSource(ID)
}

/** @throws Refusal source_not_found */
export async function changePrecedence({ ID, precedence }: { ID: number; precedence: number }) {
  await readSource(ID)
  await storePrecedence(ID, precedence)
  return readSource(ID)
}
