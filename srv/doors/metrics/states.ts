// The state of the installation as the database has it, by counts of small or indexed tables.
import type { Gauge } from 'prom-client'
import { daysSince, isDemandOld, isTooOld } from '../../base/database/demand/demand-age.ts'
import {
  BlockedPairs,
  ForecastScores,
  Proposals,
  QuarantinedRows,
  readAs,
  Schedules,
  Sources,
  StreamStates,
  Syncs,
  WebhookDeliveries,
  Webhooks,
} from '../../base/database/entities.ts'
import { oneOf } from '../../base/database/rows.ts'
import { readAllLocalDays, today } from '../../base/time/days.ts'
import { latestScores, type StoredScore } from '../../domain/quality/index.ts'
import { gauge } from './registry.ts'

/** All gauges of states. */
export const STATES: Gauge[] = []

/** A value to be shown once all have been read. */
export type Sample = [metric: Gauge, labels: Record<string, string>, value: number]

/** A gauge, as a function that makes its samples. */
function state<Label extends string>(name: string, help: string, ...labelNames: Label[]) {
  const metric = gauge(name, help, labelNames)
  STATES.push(metric)
  return (labels: Record<Label, string>, value: number): Sample => [metric, labels, value]
}

const DAY_S = 86_400

const secondsSince = (timestamp: string | null, now = Date.now()) =>
  timestamp === null ? 0 : Math.max(0, now - Date.parse(timestamp)) / 1000

const nameOf = (source: number | null | undefined) => `src_${source}`

interface SourceRow {
  ID: number
  type: string
  status: string
  dataAsOf: string | null
  consentEndsAt: string | null
}

export const readSources = () =>
  readAs<SourceRow>(
    SELECT.from(Sources).columns('ID', 'type', 'status', 'dataAsOf', 'consentEndsAt').orderBy('ID'),
  )

export async function readStates(sources: SourceRow[]): Promise<Sample[]> {
  const samples: Sample[] = sources.flatMap(statesOfSource)
  samples.push(...(await agesOfDemand(sources)), ...(await agesOfStreams()))
  samples.push(...(await readRuns()), ...(await overdueSchedules(sources)))
  samples.push(...(await countRejected(sources)), ...(await countBlocked()))
  samples.push(...(await readQuality()), ...(await countProposals()), ...(await readWebhooks()))
  return samples
}

const status = state('source_status', 'Always 1.', 'source', 'type', 'status')
const consentEnd = state(
  'source_consent_end_timestamp_seconds',
  'When the ERP ends the consent, whatever is read.',
  'source',
)

function statesOfSource({ ID, type, status: found, consentEndsAt }: SourceRow): Sample[] {
  const source = nameOf(ID)
  const samples = [status({ source, type, status: found }, 1)]
  if (consentEndsAt) samples.push(consentEnd({ source }, Date.parse(consentEndsAt) / 1000))
  return samples
}

const dataAge = state(
  'source_data_age_seconds',
  'Whole days of demand up to yesterday that lack.',
  'source',
)
const isStale = state('source_data_stale', 'Whether demand is too old to order by.', 'source')

async function agesOfDemand(sources: SourceRow[]): Promise<Sample[]> {
  const days = await readAllLocalDays()
  const samples: Sample[] = []
  for (const { ID, dataAsOf } of sources) {
    const source = nameOf(ID)
    const first = days.get(ID)?.first ?? today()
    const age = daysSince(dataAsOf, first)
    if (dataAsOf === null || age === null) continue
    const isOld = isTooOld(dataAsOf, first) && (await isDemandOld(ID, dataAsOf))
    samples.push(dataAge({ source }, age * DAY_S), isStale({ source }, Number(isOld)))
  }
  return samples
}

const streamAge = state(
  'stream_age_seconds',
  'Time since a type of records was last read to its end, or its file was written.',
  'source',
  'stream',
)

async function agesOfStreams(): Promise<Sample[]> {
  const rows = await readAs<{ source_ID: number; record: string; syncedAt: string }>(
    SELECT.from(StreamStates)
      .columns('source_ID', 'record', 'syncedAt')
      .where({ syncedAt: { '!=': null } }),
  )
  return rows.map(({ source_ID, record, syncedAt }) =>
    streamAge({ source: nameOf(source_ID), stream: record }, secondsSince(syncedAt)),
  )
}

const runs = state('runs', 'Syncs that have not ended.', 'status')
const runAge = state('run_age_seconds', 'Time since such a sync was asked for.', 'source', 'status')

async function readRuns(): Promise<Sample[]> {
  const rows = await readAs<{ source_ID: number; status: string; createdAt: string }>(
    SELECT.from(Syncs)
      .columns('source_ID', 'status', 'createdAt')
      .where({ activeFor: { '!=': null } }),
  )
  const counts = ['queued', 'running'].map((status) =>
    runs({ status }, rows.filter((row) => row.status === status).length),
  )
  const ages = rows.map(({ source_ID, status, createdAt }) =>
    runAge({ source: nameOf(source_ID), status }, secondsSince(createdAt)),
  )
  return [...counts, ...ages]
}

const overdue = state(
  'schedule_overdue_seconds',
  'For how long what a schedule starts has been due; 0 while it is not.',
  'schedule',
)

/** Schedules of a source that cannot be read do not move on. */
async function overdueSchedules(sources: SourceRow[]): Promise<Sample[]> {
  const stopped = sources.filter(({ status }) => !['connected', 'failing'].includes(status))
  const names = new Set(stopped.map(({ ID }) => nameOf(ID)))
  const rows = await readAs<{ name: string; dueAt: string | null }>(
    SELECT.from(Schedules).columns('name', 'dueAt'),
  )
  return rows
    .filter(({ name }) => !names.has(name.split(' ')[0]!))
    .map(({ name, dueAt }) => overdue({ schedule: name }, secondsSince(dueAt)))
}

interface Counted {
  source_ID: number
  n: number
}

const rejected = state('rejected_rows', 'Records that could not be used.', 'source')

async function countRejected(sources: SourceRow[]): Promise<Sample[]> {
  const rows = await readAs<Counted>(
    SELECT.from(QuarantinedRows)
      .columns('source_ID', 'count(*) as n')
      .where({ note: null })
      .groupBy('source_ID'),
  )
  const counts = new Map(rows.map(({ source_ID, n }) => [source_ID, Number(n)]))
  return sources.map(({ ID }) => rejected({ source: nameOf(ID) }, counts.get(ID) ?? 0))
}

const blocked = state(
  'blocked_pairs',
  'Pairs without a proposal, by what lacks.',
  'source',
  'missing',
)

async function countBlocked(): Promise<Sample[]> {
  const rows = await readAs<Counted & { missing: string }>(
    SELECT.from(BlockedPairs)
      .columns('source_ID', 'missing', 'count(*) as n')
      .groupBy('source_ID', 'missing'),
  )
  return rows.map(({ source_ID, missing, n }) =>
    blocked({ source: nameOf(source_ID), missing }, Number(n)),
  )
}

const cases = state('forecast_cases', 'Windows of 28 days that were measured.', 'source')
const coverage = state(
  'forecast_coverage_ratio',
  'Share of them whose demand was from P10 to P90; 0.8 is right.',
  'source',
)
const above = state(
  'forecast_above_p90_ratio',
  'Share of them whose demand was above P90; 0.1 is right.',
  'source',
)
const bias = state(
  'forecast_bias_ratio',
  'Sum of P50 against that of demand, less 1, of smooth and erratic demand; 0 is right.',
  'source',
)
/** The median of others is below their mean. */
const UNBIASED = ['smooth', 'erratic']

async function readQuality(): Promise<Sample[]> {
  const scores = await readAs<StoredScore & { source_ID: number }>(
    SELECT.from(ForecastScores).orderBy('month'),
  )
  const bySource = Map.groupBy(scores, ({ source_ID }) => nameOf(source_ID))
  return [...bySource].flatMap(([source, scores]) => {
    const latest = latestScores(scores)
    const even = latest.filter(({ demandClass }) => UNBIASED.includes(String(demandClass)))
    const share = (of: typeof cases, part: number, whole: number) =>
      whole ? [of({ source }, part / whole)] : []
    const all = sumOf(latest, 'cases')
    return [
      ...share(cases, all, 1),
      ...share(coverage, sumOf(latest, 'covered'), all),
      ...share(above, sumOf(latest, 'above'), all),
      ...share(bias, sumOf(even, 'p50') - sumOf(even, 'demand'), sumOf(even, 'demand')),
    ]
  })
}

const sumOf = (
  scores: readonly StoredScore[],
  element: 'cases' | 'covered' | 'above' | 'p50' | 'demand',
) => scores.reduce((total, score) => total + Number(score[element]), 0)

const OPEN = ['pending', 'awaiting_second_approval', 'snoozed']
const proposals = state('proposals', 'Proposals that are not decided.', 'status')

async function countProposals(): Promise<Sample[]> {
  const rows = await readAs<{ status: string; n: number }>(
    SELECT.from(Proposals)
      .columns('status', 'count(*) as n')
      .where({ status: { in: OPEN } })
      .groupBy('status'),
  )
  const counts = new Map(rows.map(({ status, n }) => [status, Number(n)]))
  return OPEN.map((status) => proposals({ status }, counts.get(status) ?? 0))
}

const deliveries = state(
  'webhook_deliveries',
  'Deliveries that wait for a try, and those of the last 30 days that were given up.',
  'webhook',
  'status',
)
const failing = state(
  'webhook_failing_seconds',
  'Time since the first failure after the last success.',
  'webhook',
)
const disabled = state('webhook_disabled', 'Whether a webhook is disabled.', 'webhook')

const NOT_DELIVERED = ['pending', 'failed']

async function readWebhooks(): Promise<Sample[]> {
  const webhooks = await readAs<{ ID: number; status: string; failingSince: string | null }>(
    SELECT.from(Webhooks).columns('ID', 'status', 'failingSince'),
  )
  if (!webhooks.length) return []
  const IDs = webhooks.map(({ ID }) => ID)
  const rows = await readAs<{ webhook: number; status: string; n: number }>(
    SELECT.from(WebhookDeliveries)
      .columns('webhook', 'status', 'count(*) as n')
      .where({ webhook: oneOf(IDs), status: { in: NOT_DELIVERED } })
      .groupBy('webhook', 'status'),
  )
  const counts = new Map(rows.map(({ webhook, status, n }) => [`${webhook} ${status}`, Number(n)]))
  return webhooks.flatMap(({ ID, status, failingSince }) => {
    const webhook = `wh_${ID}`
    const waiting = NOT_DELIVERED.map((status) =>
      deliveries({ webhook, status }, counts.get(`${ID} ${status}`) ?? 0),
    )
    const isDisabled = Number(status === 'disabled')
    return [
      ...[...waiting, failing({ webhook }, secondsSince(failingSince))],
      disabled({ webhook }, isDisabled),
    ]
  })
}
