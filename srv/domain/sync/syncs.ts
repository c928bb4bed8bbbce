// Syncs of an ERP: queued, shown and cancelled. What a sync does stands in execute-run.ts.
import type { Sync as StoredSync } from '#cds-models/restock'
import { inTransaction } from '../../base/cap/context.ts'
import { type Row, Syncs } from '../../base/database/entities.ts'
import { newestPage, type PageQuery, toNumber } from '../../base/database/rows.ts'
import { Refusal } from '../../base/errors.ts'
import { hasMessage, message } from '../../base/texts/texts.ts'
import { cancelRun, queueRun } from '../../base/work/runs.ts'
import type { BegunPhase, Issue, Phase } from './run.ts'

/** Queues a sync. @throws as {@link queueRun} */
export const startSync = (request: Parameters<typeof queueRun>[0]) =>
  inTransaction(async () => readSync(await queueRun(request)))

/** @throws Refusal not_found */
export const readSync = (ID: number) =>
  inTransaction(async () => {
    const row = await SELECT.one.from(Syncs).where({ ID })
    if (!row) throw new Refusal('not_found', `There is no sync sync_${ID}.`)
    return toSyncWithEstimate(row)
  })

/** The sync before it tells how long its later phases will take. */
async function toSyncWithEstimate(row: Stored): Promise<Sync> {
  if (row.status !== 'running') return toSync(row)
  const { ID, source_ID, mode } = row
  const before = await SELECT.one
    .from(Syncs)
    .columns('phases', 'finishedAt')
    .where({ source_ID, mode, ID: { '<': ID }, status: { in: ['succeeded', 'partial'] } })
    .orderBy('ID desc')
  return toSync(row, before ?? null)
}

/** Newest first. */
export const listSyncs = ({ source, ...asked }: PageQuery & { source: number }) =>
  inTransaction(async () => {
    const page = await newestPage(SELECT.from(Syncs), asked, { source_ID: source })
    const data = []
    for (const row of page.data) data.push(await toSyncWithEstimate(row))
    return { ...page, data }
  })

/** @throws Refusal not_found, sync_already_finished */
export const cancelSync = (ID: number) =>
  inTransaction(async () => {
    const { status } = await readSync(ID)
    if (status !== 'queued' && status !== 'running') {
      throw new Refusal('sync_already_finished', `sync_${ID} has ended: ${status}.`, {
        members: { current_status: status },
      })
    }
    await cancelRun(ID)
    return readSync(ID)
  })

/** A sync without its internal values. */
export type Sync = ReturnType<typeof toSync>

type Stored = Row<StoredSync>

/** @param before the last successful sync of the same source and mode */
function toSync(row: Stored, before: Partial<Stored> | null = null) {
  const { source_ID, issues, notes, activeFor, owner, leaseUntil, phases, ...shown } = row
  const { attempts, advances, stuckAt, readToEnd, others, turn, ...rest } = shown
  return {
    ...rest,
    source: source_ID!,
    status: row.status!,
    done: Number(row.done ?? 0),
    total: toNumber(row.total),
    issues: (JSON.parse(issues ?? '[]') as Issue[]).map((issue) => withMeaning(issue)),
    notes: (JSON.parse(notes ?? '[]') as Issue[]).map((note) => withMeaning(note)),
    estimatedEndAt: estimatedEnd(row, before),
  }
}

/** A row as the database answers it. */
type Loose = { [name in keyof Stored]?: unknown }

const ORDER: Phase[] = ['reading', 'forecasting', 'proposing']

const phasesOf = ({ phases }: Loose): BegunPhase[] =>
  JSON.parse(String(phases ?? '[]')) as BegunPhase[]

/**
 * Estimates when the sync will end: the present phase continues at its pace, and each later one takes as long as last time.
 * Null if this cannot be estimated; never in the past.
 * @param before the last successful sync of the same source and mode
 */
export function estimatedEnd(row: Loose, before: Loose | null, now = Date.now()): string | null {
  const present = phasesOf(row).at(-1)
  const [done, total] = [Number(row.done), Number(row.total)]
  if (row.status !== 'running' || !present || !(done > 0) || !(total >= done)) return null
  const later = ORDER.slice(ORDER.indexOf(present.phase) + 1)
  const durations = later.map((phase) => (before ? durationOf(phase, before) : null))
  if (durations.some((duration) => duration === null)) return null
  const rest = (durations as number[]).reduce((sum, duration) => sum + duration, 0)
  const elapsed = Math.max(0, now - Date.parse(present.startedAt))
  return new Date(now + (elapsed / done) * (total - done) + rest).toISOString()
}

/** Milliseconds that a phase of a finished sync took; null where it had none. */
function durationOf(phase: Phase, sync: Loose): number | null {
  const phases = phasesOf(sync)
  const at = phases.findIndex((each) => each.phase === phase)
  if (at < 0) return null
  const end = phases[at + 1]?.startedAt ?? String(sync.finishedAt)
  const duration = Date.parse(end) - Date.parse(phases[at]!.startedAt)
  return Number.isNaN(duration) ? null : Math.max(0, duration)
}

// The meaning of each issue for proposals, and who can solve it. docs/reference/issues.md lists both.

const words = (text: string) => text.split(/\s+/)

/** Who can solve an issue, by its code; the sentences are `remedy_…` in _i18n/messages.json. */
export const REMEDIES = {
  row: words(`invalid_value missing_value duplicate_key product_gone wrong_column_count row_too_long
    unclosed_quote misplaced_quote`),
  copy: ['duplicate_row'],
  unit: ['unit_conversion'],
  file: words(`missing_file empty_file ambiguous_file file_not_readable file_not_allowed
    invalid_header missing_column duplicate_column invalid_encoding invalid_gzip ambiguous_column
    invalid_workbook too_many_bad_rows invalid_manifest`),
  awaited: ['file_awaited'],
  host_key: ['host_key_mismatch'],
  format: ['ambiguous_date', 'ambiguous_number', 'unreadable_date', 'unreadable_number'],
  rights: ['forbidden', 'not_found'],
  connection: words(`unauthorized reconsent_required consent_ended consent_failed client_refused
    consent_mismatch invalid_private_key unexpected_rights no_rights destination_moved`),
  waiting: ['source_unavailable'],
  address: words(`redirected login_page invalid_account invalid_role missing_certificate_id
    invalid_address insecure_address foreign_link tls_untrusted ca_file_unreadable
    folder_not_allowed folder_not_found missing_database missing_company company_ambiguous
    company_unknown`),
  erp: ['request_refused', 'request_not_allowed', 'unexpected_content', 'answer_too_large'],
  setup: words(`secret_unreadable destination_service_missing destination_service_refused
    destination_unusable destination_refused`),
  deletions: ['deletions_withheld'],
  older: ['rows_quarantined'],
  log: ['internal_error'],
  disk: ['disk_full'],
  database: ['database_unavailable'],
  memory: ['gave_up'],
  note: ['not_in_catalogue', 'not_planned'],
  booking: ['demand_booked_weekly', 'demand_booked_monthly'],
  reading: ['read_as'],
  plan: ['plan_without_demand'],
  factor: ['plan_without_factor'],
  country: ['unknown_country'],
  closure: ['closure_of_unknown'],
  successor: ['successor_unit'],
  circle: ['successor_circle'],
  no_demand: ['no_demand'],
  consent: ['consent_ends_soon'],
}

const REMEDY_OF = new Map<string, string>(
  Object.entries(REMEDIES).flatMap(([remedy, codes]) => codes.map((code) => [code, remedy])),
)

/** Codes with the same meaning for every stream: those of notes, and of the whole sync. */
const OF_NO_STREAM: ReadonlySet<string> = new Set([
  ...REMEDIES.copy,
  ...REMEDIES.memory,
  ...REMEDIES.note,
  ...REMEDIES.booking,
  ...REMEDIES.reading,
  ...REMEDIES.plan,
  ...REMEDIES.factor,
  ...REMEDIES.country,
  ...REMEDIES.closure,
  ...REMEDIES.successor,
  ...REMEDIES.circle,
  ...REMEDIES.no_demand,
  ...REMEDIES.consent,
])

/** Lists of which a row stands for a key by itself: of two the first counts. In others the second may be about something else. */
const FIRST_COUNTS: ReadonlySet<string> = new Set(
  words(
    'skus planning priceBreaks supplierTerms locations exchangeRates erpForecasts plannedEvents',
  ),
)

const isSecondOfKey = ({ code, stream }: Issue) =>
  code === 'duplicate_key' && FIRST_COUNTS.has(stream ?? '')

/** Whether it is about rejected rows, of this sync or an earlier one, and not about a whole stream. */
const isOfRows = ({ code, isRow }: Issue) => isRow === true || code === 'rows_quarantined'

/** The issue with its two sentences, in the language of the present request. */
function withMeaning({ isRow, reason, phase, ...issue }: Issue) {
  const { code, stream } = issue
  const args = { stream: message(`stream_${stream}`), reason }
  const impact =
    OF_NO_STREAM.has(code) || isSecondOfKey(issue)
      ? `impact_${code}`
      : `impact_${isOfRows({ isRow, ...issue }) ? 'row' : 'stream'}_${stream}`
  return {
    ...issue,
    ...(reason && { message: message('erp_unreachable', args) }),
    ...(phase && { message: message(`gave_up_${phase}`) }),
    impact: message(hasMessage(impact) ? impact : 'impact_stream_source'),
    remedy: message(`remedy_${REMEDY_OF.get(code) ?? 'log'}`),
  }
}
