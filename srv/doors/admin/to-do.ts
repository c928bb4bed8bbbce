import type { Request } from '@sap/cds'
import {
  ApiKeys,
  BlockedPairs,
  Proposals,
  QuarantinedRows,
  readAs,
  WebhookDeliveries,
  Webhooks,
} from '../../base/database/entities.ts'
import { settings } from '../../base/settings/config.ts'
import { codeNames, hasMessage, message, type Places } from '../../base/texts/texts.ts'
import { DAY_MS } from '../../base/time/days.ts'
import { overdueRounds } from '../../base/work/worker.ts'
import { isDemandOld } from '../../base/database/demand/demand-age.ts'
import { readAlarms } from '../../domain/audit/index.ts'
import { readRates } from '../../domain/money/index.ts'
import { listSources, type Source } from '../../domain/sources/index.ts'
import { countRows } from './health.ts'
import { pageOf } from './rows.ts'
import { lastIssueOf, missingRights, problemOf } from './sources.ts'

interface Task {
  /** Of its sentence, `todo_<key>` in _i18n. */
  key: string
  places: Places
  /** 1 nothing works, 2 something does not, 5 to be known. */
  criticality: 1 | 2 | 5
  /** Of what the link says, `todo_cure_<cure>` in _i18n. */
  cure: string
  /** Where it is done in the app. */
  link: string
}

/** At most so many of a kind are named one by one. */
const MOST = 10

// Keys, webhooks and recurring work: what other systems wait for.

async function accessTasks(): Promise<Task[]> {
  return [...(await keyTasks()), ...(await webhookTasks()), ...workTasks()]
}

const SOON_DAYS = 14

interface Key {
  name: string
  actsAs: string | null
  status: string
  expiresAt: string
}

async function keyTasks(): Promise<Task[]> {
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
  const task = (key: string, { name, actsAs, expiresAt }: Key): Task => ({
    ...{ key, criticality: 2, cure: 'keys', link: '#/ApiKeys' },
    places: { name, person: actsAs ?? '', day: String(expiresAt).slice(0, 10) },
  })
  return [
    ...waiting.map((key) => task(key.status === 'user_left' ? 'key_left' : 'key_waits', key)),
    ...ending.map((key) => task('key_ends', key)),
  ]
}

interface Webhook {
  ID: number
  url: string
  status: string
  disabledReason: string | null
  failingSince: string | null
}

async function webhookTasks(): Promise<Task[]> {
  const rows = await readAs<Webhook>(
    SELECT.from(Webhooks).columns('ID', 'url', 'status', 'disabledReason', 'failingSince'),
  )
  const nameOf = await codeNames('WebhookDisabledReasons')
  const failing = rows.flatMap(({ ID, url, status, disabledReason, failingSince }): Task[] => {
    const task = (key: string, criticality: 1 | 2, more: object): Task => ({
      ...{ key, criticality, cure: 'webhook', link: `#/Webhooks(${ID})` },
      places: { host: URL.parse(url)?.host ?? url, ...more },
    })
    if (status === 'disabled' && disabledReason !== 'by_request') {
      return [task('webhook_disabled', 1, { reason: nameOf(disabledReason) })]
    }
    const isFailing = status === 'active' && failingSince
    return isFailing ? [task('webhook_failing', 2, { day: failingSince.slice(0, 10) })] : []
  })
  const count = await countRows(WebhookDeliveries, { status: 'failed' })
  if (!count) return failing
  const given: Task = {
    ...{ key: 'deliveries_failed', places: { count }, criticality: 2 },
    ...{ cure: 'deliveries', link: '#/Webhooks' },
  }
  return [...failing, given]
}

/** Of the instance that is asked. */
function workTasks(): Task[] {
  const names = overdueRounds().join(', ')
  if (!names) return []
  const where = { cure: 'log', link: '#/AuditLog' }
  return [{ key: 'work_overdue', places: { names }, criticality: 1, ...where }]
}

// What was read and cannot be used as it is: blocked items, rejected records, currencies without a rate.

async function dataTasks(): Promise<Task[]> {
  return [...(await blockedTasks()), ...(await rejectedTasks()), ...(await rateTasks())]
}

/** Another connection's pair is not missing: it is proposed there. */
const LED = 'led_by_another_source'

async function blockedTasks(): Promise<Task[]> {
  const rows = await readAs<{ missing: string; pairs: unknown }>(
    SELECT.from(BlockedPairs).columns('missing', 'count(*) as pairs').groupBy('missing'),
  )
  const nameOf = await codeNames('MissingInputs')
  return rows
    .filter(({ missing }) => missing !== LED)
    .map(({ missing, pairs }) => ({
      key: missing === 'lead_time' ? 'blocked_lead_time' : 'blocked_other',
      places: { count: Number(pairs), what: nameOf(missing) },
      criticality: 2,
      cure: missing === 'lead_time' ? 'lead_time' : 'blocked',
      link: '#/BlockedPairs',
    }))
}

async function rejectedTasks(): Promise<Task[]> {
  const count = await countRows(QuarantinedRows, { note: null })
  if (!count) return []
  const where = { cure: 'rejected', link: '#/QuarantinedRows' }
  return [{ key: 'rejected', places: { count }, criticality: 2, ...where }]
}

/** Open proposals whose value nobody with a limit may approve. */
async function rateTasks(): Promise<Task[]> {
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
      places: { from, to: currency, count: Number(lines) },
      criticality: 2,
      ...{ cure: 'rate', link: '#/UserLimits' },
    }))
}

// Connections that are not read, or not as they should be.

const MOST_SOURCES = 200

async function sourceTasks(): Promise<Task[]> {
  const { data } = await listSources({ limit: MOST_SOURCES })
  if (!data.length) {
    return [
      { key: 'no_source', places: {}, criticality: 1, cure: 'connect', link: '#/SourceTypes' },
    ]
  }
  return (await Promise.all(data.map(tasksOf))).flat()
}

async function tasksOf(source: Source): Promise<Task[]> {
  const { ID, account, status, lastSync, dataAsOf } = source
  const places = { source: `src_${ID}`, account }
  const task = (key: string, criticality: Task['criticality'], cure: string, more = {}): Task => ({
    ...{ key, criticality, cure, places: { ...places, ...more }, link: `#/Sources(${ID})` },
  })
  const reason = (await problemOf(source)) ?? ''
  if (status === 'reconsent_required') return [task('reconsent', 1, 'consent', { reason })]
  if (status === 'pending_consent') return [task('no_consent', 2, 'consent', { reason })]
  if (status === 'failing') return [task('source_failing', 1, 'source', { reason })]
  if (!lastSync) return [task('never_synced', 2, 'sync')]
  const tasks: Task[] = []
  if (await isDemandOld(ID, dataAsOf)) {
    tasks.push(task('data_old', 1, 'sync', { day: dataAsOf }))
  }
  const missing = missingRights(source)
  if (missing.length) tasks.push(task('rights_missing', 2, 'rights', { names: missing.join(', ') }))
  const { full, incremental } = source.schedules
  if (full.expression === 'off' && incremental.expression === 'off') {
    tasks.push(task('schedules_off', 2, 'schedules'))
  }
  if (lastSync.status === 'partial') {
    const first = (await lastIssueOf(ID)) ?? ''
    tasks.push(task('sync_partial', 2, 'sync_page', { reason: first }))
  }
  return tasks
}

// What is wrong with the audit trail.

async function trailTasks(): Promise<Task[]> {
  const alarms = await readAlarms()
  return alarms.map(({ key, ...places }) => ({
    key,
    places,
    cure: 'log',
    link: '#/AuditLog',
    criticality: key === 'trail_not_kept' ? 2 : 1,
  }))
}

// What an administrator should do now, most urgent first: each a sentence with the way to its cure.

export async function readToDos(request: Request) {
  const tasks = [
    ...[...(await trailTasks()), ...(await sourceTasks())],
    ...[...(await dataTasks()), ...(await accessTasks())],
  ]
  return pageOf(request, tasks.toSorted(byUrgency).map(toRow))
}

const byUrgency = (a: Task, b: Task) => a.criticality - b.criticality

/** Where it is about one thing alone, the sentence in the singular, if there is one. */
function sentenceOf(key: string, { count }: Task['places']) {
  const singular = `todo_${key}_one`
  return count === 1 && hasMessage(singular) ? singular : `todo_${key}`
}

const toRow = ({ key, places, criticality, cure, link }: Task, at: number) => ({
  ...{ position: at + 1, code: key, criticality, link },
  text: message(sentenceOf(key, places), places),
  cure: message(`todo_cure_${cure}`),
})
