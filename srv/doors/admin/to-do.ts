import cds, { type Request } from '@sap/cds'
import { ENGINE_VERSION } from '../../../engine/index.ts'
import { isDemandOld, readSourceStates } from '../../base/database/demand/demand-age.ts'
import {
  type AnyEntity,
  ApiKeys,
  AuditHead,
  AuditLog,
  BlockedPairs,
  ProposalEvents,
  Proposals,
  QuarantinedRows,
  readAs,
  Syncs,
  WebhookDeliveries,
  Webhooks,
} from '../../base/database/entities.ts'
import { ownVersion } from '../../base/database/release.ts'
import { settings } from '../../base/settings/config.ts'
import {
  codeNames,
  hasMessage,
  message,
  type MessageArgs,
  writtenDay,
} from '../../base/texts/texts.ts'
import { DAY_MS } from '../../base/time/days.ts'
import { overdueRounds } from '../../base/work/worker.ts'
import { readAlarms } from '../../domain/audit/index.ts'
import { readRates } from '../../domain/money/index.ts'
import { listSources, type Source } from '../../domain/sources/index.ts'
import { pageOf } from './rows.ts'
import { lastIssueOf, missingRights, problemOf } from './sources.ts'

interface ToDo {
  /** The key of its sentence, `todo_<key>` in _i18n. */
  key: string
  args: MessageArgs
  /** 1: nothing works; 2: something does not work; 5: for information. */
  criticality: 1 | 2 | 5
  /** The key of the link's text, `todo_cure_<cure>` in _i18n. */
  cure: string
  /** The page of the app on which it is done. */
  link: string
}

/** The most of one kind that are listed one by one. */
const MOST = 10

// Keys, webhooks and recurring work: what other systems wait for.

async function accessToDos(): Promise<ToDo[]> {
  return [...(await keyToDos()), ...(await webhookToDos()), ...workToDos()]
}

const SOON_DAYS = 14

interface Key {
  name: string
  actsAs: string | null
  status: string
  expiresAt: string
}

async function keyToDos(): Promise<ToDo[]> {
  const soon = new Date(Date.now() + SOON_DAYS * DAY_MS).toISOString()
  const columns = ['name', 'actsAs', 'status', 'expiresAt'] as const
  const waiting = await readAs<Key>(
    SELECT.from(ApiKeys)
      .columns(...columns)
      .where({ status: { in: ['pending_confirmation', 'user_left'] } })
      .limit(MOST),
  )
  const ending = await readAs<Key>(
    SELECT.from(ApiKeys)
      .columns(...columns)
      .where({ status: 'active', expiresAt: { '<': soon } })
      .limit(MOST),
  )
  const toDo = (key: string, { name, actsAs, expiresAt }: Key): ToDo => ({
    ...{ key, criticality: 2, cure: 'keys', link: '#/ApiKeys' },
    args: { name, person: actsAs ?? '', day: writtenDay(expiresAt.slice(0, 10)) },
  })
  return [
    ...waiting.map((key) => toDo(key.status === 'user_left' ? 'key_left' : 'key_waits', key)),
    ...ending.map((key) => toDo('key_ends', key)),
  ]
}

interface Webhook {
  ID: number
  url: string
  status: string
  disabledReason: string | null
  failingSince: string | null
}

async function webhookToDos(): Promise<ToDo[]> {
  const rows = await readAs<Webhook>(
    SELECT.from(Webhooks).columns('ID', 'url', 'status', 'disabledReason', 'failingSince'),
  )
  const nameOf = await codeNames('WebhookDisabledReasons')
  const failing = rows.flatMap(({ ID, url, status, disabledReason, failingSince }): ToDo[] => {
    const toDo = (key: string, criticality: 1 | 2, more: object): ToDo => ({
      ...{ key, criticality, cure: 'webhook', link: `#/Webhooks(${ID})` },
      args: { host: URL.parse(url)?.host ?? url, ...more },
    })
    if (status === 'disabled' && disabledReason !== 'by_request') {
      return [toDo('webhook_disabled', 1, { reason: nameOf(disabledReason) })]
    }
    const isFailing = status === 'active' && failingSince
    return isFailing
      ? [toDo('webhook_failing', 2, { day: writtenDay(failingSince.slice(0, 10)) })]
      : []
  })
  const count = await countRows(WebhookDeliveries, { status: 'failed' })
  if (!count) return failing
  const given: ToDo = {
    ...{ key: 'deliveries_failed', args: { count }, criticality: 2 },
    ...{ cure: 'deliveries', link: '#/Webhooks' },
  }
  return [...failing, given]
}

/** Overdue work of the instance that answers. */
function workToDos(): ToDo[] {
  const names = overdueRounds().join(', ')
  if (!names) return []
  const where = { cure: 'log', link: '#/AuditLog' }
  return [{ key: 'work_overdue', args: { names }, criticality: 1, ...where }]
}

// Data that were read but cannot be used as they are: blocked pairs, rejected records, currencies without a rate.

async function dataToDos(): Promise<ToDo[]> {
  return [...(await blockedToDos()), ...(await rejectedToDos()), ...(await rateToDos())]
}

/** A pair that another source leads is proposed there, so that nothing has to be done. */
const LED = 'led_by_another_source'

async function blockedToDos(): Promise<ToDo[]> {
  const rows = await readAs<{ missing: string; pairs: unknown }>(
    SELECT.from(BlockedPairs).columns('missing', 'count(*) as pairs').groupBy('missing'),
  )
  const nameOf = await codeNames('MissingInputs')
  return rows
    .filter(({ missing }) => missing !== LED)
    .map(({ missing, pairs }) => ({
      key: missing === 'lead_time' ? 'blocked_lead_time' : 'blocked_other',
      args: { count: Number(pairs), what: nameOf(missing) },
      criticality: 2,
      cure: missing === 'lead_time' ? 'lead_time' : 'blocked',
      link: '#/BlockedPairs',
    }))
}

async function rejectedToDos(): Promise<ToDo[]> {
  const count = await countRows(QuarantinedRows, { note: null })
  if (!count) return []
  const where = { cure: 'rejected', link: '#/QuarantinedRows' }
  return [{ key: 'rejected', args: { count }, criticality: 2, ...where }]
}

/** Open proposals whose value nobody with a limit may approve. */
async function rateToDos(): Promise<ToDo[]> {
  const { currency } = settings()
  const rows = await readAs<{ currency: string; lines: unknown }>(
    SELECT.from(Proposals)
      .columns('currency', 'count(*) as lines')
      .where({ status: 'pending', currency: { '!=': null } })
      .groupBy('currency'),
  )
  const names = rows.map((row) => row.currency).filter((each) => each !== currency)
  if (!names.length) return []
  const rates = await readRates()
  return rows
    .filter((row) => names.includes(row.currency) && !rates.between(row.currency, currency))
    .map(({ currency: from, lines }) => ({
      key: 'no_rate',
      args: { from, to: currency, count: Number(lines) },
      criticality: 2,
      ...{ cure: 'rate', link: '#/UserLimits' },
    }))
}

// Connections that are not read, or not as they should be.

const MOST_SOURCES = 200

async function sourceToDos(): Promise<ToDo[]> {
  const { data } = await listSources({ limit: MOST_SOURCES })
  if (!data.length) {
    return [{ key: 'no_source', args: {}, criticality: 1, cure: 'connect', link: '#/SourceTypes' }]
  }
  return (await Promise.all(data.map(toDosOf))).flat()
}

async function toDosOf(source: Source): Promise<ToDo[]> {
  const { ID, account, status, lastSync, dataAsOf } = source
  const args = { source: `src_${ID}`, account }
  const toDo = (key: string, criticality: ToDo['criticality'], cure: string, more = {}): ToDo => ({
    ...{ key, criticality, cure, args: { ...args, ...more }, link: `#/Sources(${ID})` },
  })
  const reason = (await problemOf(source)) ?? ''
  if (status === 'reconsent_required') return [toDo('reconsent', 1, 'consent', { reason })]
  if (status === 'pending_consent') return [toDo('no_consent', 2, 'consent', { reason })]
  if (status === 'failing') return [toDo('source_failing', 1, 'source', { reason })]
  if (!lastSync) return [toDo('never_synced', 2, 'sync')]
  const toDos: ToDo[] = []
  if (await isDemandOld(ID, dataAsOf)) {
    toDos.push(toDo('data_old', 1, 'sync', { day: writtenDay(dataAsOf) }))
  }
  const missing = missingRights(source)
  if (missing.length) toDos.push(toDo('rights_missing', 2, 'rights', { names: missing.join(', ') }))
  const { full, incremental } = source.schedules
  if (full.expression === 'off' && incremental.expression === 'off') {
    toDos.push(toDo('schedules_off', 2, 'schedules'))
  }
  if (lastSync.status === 'partial') {
    const first = (await lastIssueOf(ID)) ?? ''
    toDos.push(toDo('sync_partial', 2, 'sync_page', { reason: first }))
  }
  return toDos
}

// What is wrong with the audit trail.

async function trailToDos(): Promise<ToDo[]> {
  const alarms = await readAlarms()
  return alarms.map(({ key, ...args }) => ({
    key,
    args,
    cure: 'log',
    link: '#/AuditLog',
    criticality: key === 'trail_not_kept' ? 2 : 1,
  }))
}

// What an administrator should do now, most urgent first; each is a sentence with a link to the solution.

export async function readToDos(request: Request) {
  const toDos = [
    ...[...(await trailToDos()), ...(await sourceToDos())],
    ...[...(await dataToDos()), ...(await accessToDos())],
  ]
  return pageOf(request, toDos.toSorted(byUrgency).map(toRow))
}

const byUrgency = (a: ToDo, b: ToDo) => a.criticality - b.criticality

/** The sentence; in the singular, if there is one, when it is about one thing. */
function sentenceOf(key: string, { count }: ToDo['args']) {
  const singular = `todo_${key}_one`
  return count === 1 && hasMessage(singular) ? singular : `todo_${key}`
}

const toRow = ({ key, args, criticality, cure, link }: ToDo, at: number) => ({
  ...{ position: at + 1, code: key, criticality, link },
  text: message(sentenceOf(key, args), args),
  cure: message(`todo_cure_${cure}`),
})

const version = ownVersion()
const DATABASES: Record<string, string> = {
  ...{ sqlite: 'SQLite', postgres: 'PostgreSQL', hana: 'SAP HANA' },
}
const startedAt = new Date(Date.now() - process.uptime() * 1000).toISOString()

// Figures of the installation.

/** State of the service, by counts of small or indexed tables. */
export async function readHealth() {
  const began = performance.now()
  const { sources, failing, dataAsOf, dataAgeDays, isStale } = await readSourceStates()
  const answeredInMs = Math.ceil(performance.now() - began)
  const user = cds.context!.user
  const { kind } = cds.env.requires.db as { kind: string }
  const database = DATABASES[kind] ?? kind
  return {
    ...{ ID: 1, version, engineVersion: ENGINE_VERSION, database, answeredInMs, startedAt },
    ...{ sources, sourcesAtFault: failing, dataAsOf, dataAgeDays, isDataStale: isStale },
    ...(await readSyncState()),
    quarantined: await countRows(QuarantinedRows, { note: null }),
    blocked: await countRows(BlockedPairs),
    workOverdue: overdueRounds().join(', ') || null,
    deliveriesWaiting: await countRows(WebhookDeliveries, { status: 'pending' }),
    deliveriesFailed: await countRows(WebhookDeliveries, { status: 'failed' }),
    ...(await readAuditState()),
    ...{ user: user.id, mayChange: user.is('Admin') },
  }
}

export async function countRows(entity: AnyEntity, where: object = {}): Promise<number> {
  const row = await SELECT.one.from(entity).columns('count(*) as n').where(where)
  return Number(row?.n)
}

async function readSyncState() {
  const nameOf = await codeNames('SyncStatuses')
  const last = await readAs<{ ID: number; status: string; finishedAt: string | null }>(
    SELECT.one.from(Syncs).columns('ID', 'status', 'finishedAt').orderBy('ID desc'),
  )
  return {
    unfinishedSyncs: await countRows(Syncs, { activeFor: { '!=': null } }),
    lastSync: last?.ID ?? null,
    lastSyncStatus: last?.status ?? null,
    lastSyncStatusText: nameOf(last?.status),
    lastSyncAt: last?.finishedAt ?? null,
  }
}

async function readAuditState() {
  const head = await SELECT.one.from(AuditHead).where({ ID: 1 })
  const waiting =
    (await countRows(AuditLog, { seq: null })) + (await countRows(ProposalEvents, { seq: null }))
  return {
    auditSeq: head?.seq ?? 0,
    auditHash: head?.hash ?? null,
    auditSealedAt: head?.sealedAt ?? null,
    auditWaiting: waiting,
  }
}
