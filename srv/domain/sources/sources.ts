import type { Source as StoredSource, SourceStatus } from '#cds-models/restock'
import type { Adapter, Connection, StreamCheck } from '../../../adapters/adapter.ts'
import { inTransaction } from '../../base/cap/context.ts'
import { writeAuditLog } from '../../base/database/audit.ts'
import { readAs, type Row, Series, Sources, Syncs } from '../../base/database/entities.ts'
import { DEFAULT_PRECEDENCE } from '../../base/database/leads.ts'
import { newestPage, type PageQuery } from '../../base/database/rows.ts'
import { Refusal } from '../../base/errors.ts'
import { settings } from '../../base/settings/config.ts'
import { NEVER, nextRun } from '../../base/time/cron.ts'
import { usualZone } from '../../base/time/days.ts'
import { parseOptions } from './connection-input.ts'
import { findOpenConsent } from './consents.ts'
import { connectionOf } from './credentials.ts'
import type { Problem } from './problems.ts'
import { checkFiles } from './request-access.ts'

export interface Source {
  ID: number
  type: string
  account: string
  role: string
  baseUrl: string | null
  demo: boolean
  status: SourceStatus
  neededRights: string[]
  grantedRights: string[]
  checks: StreamCheck[]
  checkedAt: string | null
  /** The time zone of its schedules, and of locations without one of their own. */
  timeZone: string
  schedules: { full: Schedule; incremental: Schedule }
  precedence: number
  /** Other sources that lead pairs of this one. */
  ledBy: LedPairs[]
  problem: Problem | null
  lastSync: { ID: number; status: string; finishedAt: string | null } | null
  dataAsOf: string | null
  createdAt: string
  /** Present after consent has been requested. */
  authorizationUrl: string | null
  consentExpiresAt: string | null
  /** When the ERP ends the consent, even if it is used. */
  consentEndsAt: string | null
}

interface Schedule {
  expression: string
  isDefault: boolean
  nextRunAt: string | null
}

interface LedPairs {
  source: number
  pairs: number
}

/** @throws Refusal source_not_found */
export const readSource = (ID: number): Promise<Source> =>
  inTransaction(async () => {
    const row = await SELECT.one.from(Sources).where({ ID })
    if (!row) throw new Refusal('source_not_found', `There is no source src_${ID}.`)
    return toSource(row, (await readLedPairs([ID])).get(ID) ?? [])
  })

/** Newest first; `after` is the last ID of the page before. */
export const listSources = (asked: PageQuery) =>
  inTransaction(async () => {
    const page = await newestPage<Row<StoredSource>>(SELECT.from(Sources), asked)
    const ledPairs = await readLedPairs(page.data.map(({ ID }) => ID))
    const data: Source[] = []
    for (const row of page.data) data.push(await toSource(row, ledPairs.get(row.ID) ?? []))
    return { ...page, data }
  })

const parseJson = <T>(json: string | null, otherwise: T) =>
  json ? (JSON.parse(json) as T) : otherwise

const toTime = (stored: string | null) => (stored ? new Date(stored).toISOString() : null)

async function toSource(row: Row<StoredSource>, ledBy: LedPairs[]): Promise<Source> {
  const last = await SELECT.one
    .from(Syncs)
    .columns('ID', 'status', 'finishedAt')
    .where({ source_ID: row.ID })
    .orderBy('ID desc')
  const { ID, baseUrl, dataAsOf } = row
  const [status, consentExpiresAt] = [row.status!, await findOpenConsent(ID)]
  return {
    ID,
    type: row.type!,
    account: row.account!,
    role: row.role!,
    baseUrl,
    demo: row.demo === true,
    status,
    neededRights: parseJson<string[]>(row.neededRights, []),
    grantedRights: parseJson<string[]>(row.grantedRights, []),
    checks: parseJson<StreamCheck[]>(row.checks, []),
    checkedAt: toTime(row.checkedAt),
    timeZone: usualZone(row.options),
    schedules: schedulesOf(row),
    precedence: row.precedence ?? DEFAULT_PRECEDENCE,
    ledBy,
    problem:
      parseJson<Problem | null>(row.problem, null) ?? expiredProblem(status, consentExpiresAt),
    lastSync: last ? { ID: last.ID, status: last.status!, finishedAt: last.finishedAt } : null,
    dataAsOf,
    createdAt: row.createdAt!,
    authorizationUrl: null,
    consentExpiresAt,
    consentEndsAt: toTime(row.consentEndsAt),
  }
}

const expiredProblem = (status: SourceStatus, consentExpiresAt: string | null): Problem | null =>
  status === 'pending_consent' && !consentExpiresAt
    ? { code: 'consent_expired', message: 'Nobody consented in time: connect again.' }
    : null

/** The schedules of a source: its own ones, else the configured ones. */
function schedulesOf(row: Row<StoredSource>) {
  const isOpen = row.status === 'connected' || row.status === 'failing'
  const timeZone = usualZone(row.options)
  const scheduleOf = (own: string | null, configured: string): Schedule => {
    const expression = (own ?? configured) || NEVER
    const next = isOpen ? nextRun(expression, new Date(), timeZone) : null
    return { expression, isDefault: own === null, nextRunAt: next?.toISOString() ?? null }
  }
  const { full, incremental } = settings().schedules
  return {
    full: scheduleOf(row.fullSchedule, full),
    incremental: scheduleOf(row.incrementalSchedule, incremental),
  }
}

/** How many pairs of each of these sources are led by which other source. */
async function readLedPairs(sources: number[]): Promise<Map<number, LedPairs[]>> {
  if (!sources.length) return new Map()
  const rows = await readAs<{ of: number; leader: number; pairs: number }>(
    SELECT.from(Series)
      .columns('source_ID as of', 'ledBy as leader', 'count(*) as pairs')
      .where({ source_ID: { in: sources }, ledBy: { '!=': null } })
      .groupBy('source_ID', 'ledBy')
      .orderBy('ledBy'),
  )
  const ledPairs = new Map<number, LedPairs[]>()
  for (const { of, leader, pairs } of rows)
    ledPairs.set(of, [...(ledPairs.get(of) ?? []), { source: leader, pairs: Number(pairs) }])
  return ledPairs
}

/** Cron expressions in the source's time zone, or `off`; null means the configured schedule, and undefined changes nothing. */
export interface ScheduleChange {
  fullSchedule?: string | null
  incrementalSchedule?: string | null
}

const MODES = [
  ['full', 'fullSchedule'],
  ['incremental', 'incrementalSchedule'],
] as const

/** Stores changed schedules and their entry in the audit log, in the caller's transaction. */
export async function storeSchedules(ID: number, wanted: ScheduleChange) {
  const before = (await SELECT.one
    .from(Sources)
    .columns('fullSchedule', 'incrementalSchedule')
    .where({ ID }))!
  const changed = MODES.flatMap(([mode, column]) => {
    const [from, to] = [before[column], wanted[column]]
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

/** Stores a changed precedence and its entry in the audit log, in the caller's transaction. */
export async function storePrecedence(ID: number, precedence: number) {
  const row = await SELECT.one.from(Sources).columns('precedence').where({ ID })
  const before = row?.precedence ?? DEFAULT_PRECEDENCE
  if (before === precedence) return
  await UPDATE.entity(Sources).set({ precedence }).where({ ID })
  await writeAuditLog('source.precedence_changed', `src_${ID}`, `${before} → ${precedence}`)
}

/** @throws Refusal source_not_found */
export const changeSchedules = ({ ID, ...wanted }: { ID: number } & ScheduleChange) =>
  inTransaction(async () => {
    await readSource(ID)
    await storeSchedules(ID, wanted)
    return readSource(ID)
  })

/** Changes the precedence: of several sources with the same pair, the one with the lowest leads from its next sync on. */
export const changePrecedence = ({ ID, precedence }: { ID: number; precedence: number }) =>
  inTransaction(async () => {
    await readSource(ID)
    await storePrecedence(ID, precedence)
    return readSource(ID)
  })

interface OptionsChange {
  ID: number
  options: Connection['options']
}

/**
 * Changes options of a source that needs no consent, and checks its files with them; null removes one. Rows already read stay
 * as they were understood until the next full sync.
 * @throws Refusal source_not_found | invalid_parameter
 */
export const changeOptions = ({ ID, options }: OptionsChange): Promise<Source> =>
  inTransaction(async () => {
    await readSource(ID)
    const { adapter, connection } = await connectionOf(ID)
    assertNoConsent(adapter, connection)
    const wanted = Object.entries({ ...connection.options, ...options })
    const parsed = parseOptions(
      adapter,
      Object.fromEntries(wanted.filter(([, value]) => value !== null)),
    )
    assertNoConsent(adapter, { ...connection, options: parsed })
    const checks = await checkFiles(adapter, { ...connection, options: parsed })
    const columns = { checks: JSON.stringify(checks), checkedAt: new Date().toISOString() }
    await UPDATE.entity(Sources)
      .set({ options: JSON.stringify(parsed), ...columns })
      .where({ ID })
    const changes = Object.entries(options).map(([name, value]) => `${name}: ${String(value)}`)
    await writeAuditLog('source.options_changed', `src_${ID}`, changes.join('; ').slice(0, 500))
    return readSource(ID)
  })

function assertNoConsent(adapter: Adapter, connection: Connection): void {
  if (adapter.auth(connection).kind === 'none') return
  const message = 'Options of a source with consent are those of its consent: connect it anew.'
  throw new Refusal('invalid_parameter', message, { target: 'options' })
}
