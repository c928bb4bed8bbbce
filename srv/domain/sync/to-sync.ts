import type { Sync } from '#cds-models/restock'
import { hasMessage, message } from '../../base/texts/texts.ts'
import type { BegunPhase, Issue, Phase } from './run.ts'

/**
 * A row of restock.Syncs as the service answers it.
 * @param before the last one that ended well, of the same source and mode
 */
export function toSync(row: Partial<Sync>, before: Partial<Sync> | null = null) {
  const { source_ID, issues, notes, activeFor, owner, leaseUntil, phases, ...shown } = row
  const { attempts, advances, stuckAt, readToEnd, others, ...rest } = shown
  return {
    ...rest,
    ID: Number(row.ID),
    source: Number(source_ID),
    status: String(row.status),
    done: Number(row.done ?? 0),
    total: row.total === null || row.total === undefined ? null : Number(row.total),
    issues: (JSON.parse(String(issues ?? '[]')) as Issue[]).map((each) => withMeaning(each)),
    notes: (JSON.parse(String(notes ?? '[]')) as Issue[]).map((each) => withMeaning(each)),
    estimatedEndAt: estimatedEnd(row, before),
  }
}

/** As the database answers it. */
type Row = { [name in keyof Sync]?: unknown }

const ORDER: Phase[] = ['reading', 'forecasting', 'proposing']

const phasesOf = ({ phases }: Row): BegunPhase[] =>
  JSON.parse(String(phases ?? '[]')) as BegunPhase[]

/**
 * When the whole sync will end: the present phase at its pace so far, and each later one as long as
 * it took before. Null while that cannot be told; never in the past.
 * @param before the last sync of the same source and mode that ended well
 */
export function estimatedEnd(row: Row, before: Row | null, now = Date.now()): string | null {
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
function durationOf(phase: Phase, sync: Row): number | null {
  const phases = phasesOf(sync)
  const at = phases.findIndex((each) => each.phase === phase)
  if (at < 0) return null
  const end = phases[at + 1]?.startedAt ?? String(sync.finishedAt)
  const duration = Date.parse(end) - Date.parse(phases[at]!.startedAt)
  return Number.isNaN(duration) ? null : Math.max(0, duration)
}

// What an issue of a sync means for proposals, and who can mend it. docs/reference/issues.md lists both.

/** Who can mend what a code stands for; the sentences are `remedy_…` in _i18n/messages.json. */
export const REMEDIES = {
  row: [
    ...['invalid_value', 'missing_value', 'duplicate_key', 'product_gone', 'wrong_column_count'],
    ...['row_too_long', 'unclosed_quote', 'misplaced_quote'],
  ],
  unit: ['unit_conversion'],
  file: [
    ...['missing_file', 'empty_file', 'ambiguous_file', 'file_not_readable', 'file_not_allowed'],
    ...['invalid_header', 'missing_column', 'duplicate_column', 'invalid_encoding', 'invalid_gzip'],
    ...['ambiguous_column', 'invalid_workbook', 'too_many_bad_rows', 'invalid_manifest'],
  ],
  awaited: ['file_awaited'],
  host_key: ['host_key_mismatch'],
  format: ['ambiguous_date', 'ambiguous_number', 'unreadable_date', 'unreadable_number'],
  rights: ['forbidden', 'not_found'],
  connection: [
    ...['unauthorized', 'reconsent_required', 'consent_ended', 'consent_failed', 'client_refused'],
    ...['consent_mismatch', 'invalid_private_key', 'unexpected_rights', 'no_rights'],
    ...['destination_moved'],
  ],
  waiting: ['source_unavailable'],
  address: [
    ...['redirected', 'login_page', 'invalid_account', 'invalid_role', 'missing_certificate_id'],
    ...['invalid_address', 'insecure_address', 'foreign_link'],
    ...['tls_untrusted', 'ca_file_unreadable', 'folder_not_allowed', 'folder_not_found'],
    ...['missing_database', 'missing_company', 'company_ambiguous', 'company_unknown'],
  ],
  erp: ['request_refused', 'request_not_allowed', 'unexpected_content', 'answer_too_large'],
  setup: [
    ...['secret_unreadable', 'destination_service_missing', 'destination_service_refused'],
    ...['destination_unusable', 'destination_refused'],
  ],
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
  consent: ['consent_ends_soon'],
} as const

const REMEDY_OF = new Map<string, string>(
  Object.entries(REMEDIES).flatMap(([remedy, codes]) => codes.map((code) => [code, remedy])),
)

/** Codes whose meaning is the same for every stream: of notes, and of the whole sync. */
const OF_NO_STREAM: ReadonlySet<string> = new Set([
  ...REMEDIES.memory,
  ...REMEDIES.note,
  ...REMEDIES.booking,
  ...REMEDIES.reading,
  ...REMEDIES.plan,
  ...REMEDIES.factor,
  ...REMEDIES.country,
  ...REMEDIES.consent,
])

/** Rows that could not be used, of this sync or an earlier one, and not a whole stream. */
const isOfRows = ({ code, isRow }: Issue) => isRow === true || code === 'rows_quarantined'

/** The issue with its two sentences, in the language of the present request or the given one. */
function withMeaning({ isRow, reason, phase, ...issue }: Issue, language?: string) {
  const { code, stream } = issue
  const places = { stream: message(`stream_${stream}`, {}, language), reason }
  const impact = OF_NO_STREAM.has(code)
    ? `impact_${code}`
    : `impact_${isOfRows({ isRow, ...issue }) ? 'row' : 'stream'}_${stream}`
  return {
    ...issue,
    ...(reason && { message: message('erp_unreachable', places, language) }),
    ...(phase && { message: message(`gave_up_${phase}`, {}, language) }),
    impact: message(hasMessage(impact) ? impact : 'impact_stream_source', {}, language),
    remedy: message(`remedy_${REMEDY_OF.get(code) ?? 'log'}`, {}, language),
  }
}
