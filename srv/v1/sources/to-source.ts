import { z } from 'zod'
import type { SourceStatus } from '#cds-models/restock'
import { codesOf } from '../http/fields.ts'
import { toId } from '../http/ids.ts'

const Status = codesOf<SourceStatus>({
  pending_consent: true,
  connected: true,
  reconsent_required: true,
  failing: true,
})

const Schedule = z
  .object({
    expression: z.string().describe('Cron of five fields in UTC, or `off`.'),
    is_default: z.boolean().describe('Whether it is the configured one.'),
    next_run_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Schedule' })

export const Source = z
  .object({
    id: z.string(),
    type: z.string(),
    account: z.string(),
    role: z.string(),
    base_url: z.string().nullable(),
    demo: z.boolean().describe('Whether it is the demo data that the service generates.'),
    status: Status,
    needed_rights: z.array(z.string()),
    granted_rights: z.array(z.string()),
    streams: z
      .array(
        z.object({
          stream: z.string(),
          status: z.enum(['ok', 'absent', 'forbidden', 'failed']),
          message: z.string().nullable(),
        }),
      )
      .describe(
        'The streams that were last checked and whether they can be read; empty before the first check.',
      ),
    streams_checked_at: z.iso.datetime().nullable(),
    schedules: z.object({ full: Schedule, incremental: Schedule }),
    problem: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .describe('Why the last consent failed or is no longer valid.'),
    consent_expires_at: z.iso.datetime().nullable().describe('When the consent request expires.'),
    last_sync: z
      .object({
        id: z.string(),
        status: z.string(),
        finished_at: z.iso.datetime().nullable(),
      })
      .nullable(),
    data_as_of: z.iso.date().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Source' })

type Source = z.infer<typeof Source>

interface ServiceSchedule {
  expression: string
  isDefault: boolean
  nextRunAt: string | null
}

const toSchedule = ({ expression, isDefault, nextRunAt }: ServiceSchedule) => ({
  expression,
  is_default: isDefault,
  next_run_at: nextRunAt,
})

/** A source as SourcesService answers it. */
export interface ServiceSource {
  ID: number
  type: string
  account: string
  role: string
  baseUrl: string | null
  demo: boolean
  status: Source['status']
  neededRights: string[] | null
  grantedRights: string[] | null
  checks: { record: string; status: Source['streams'][number]['status']; message: string | null }[]
  checkedAt: string | null
  schedules: { full: ServiceSchedule; incremental: ServiceSchedule }
  problem: { code: string; message: string } | null
  lastSync: { ID: number; status: string; finishedAt: string | null } | null
  dataAsOf: string | null
  createdAt: string
  authorizationUrl?: string | null
  consentExpiresAt?: string | null
}

export const toSource = (row: ServiceSource): Source => ({
  id: toId('src', row.ID),
  type: row.type,
  account: row.account,
  role: row.role,
  base_url: row.baseUrl ?? null,
  demo: row.demo,
  status: row.status,
  needed_rights: row.neededRights ?? [],
  granted_rights: row.grantedRights ?? [],
  streams: row.checks.map(({ record, status, message }) => ({ stream: record, status, message })),
  streams_checked_at: row.checkedAt,
  schedules: {
    full: toSchedule(row.schedules.full),
    incremental: toSchedule(row.schedules.incremental),
  },
  problem: row.problem,
  consent_expires_at: row.consentExpiresAt ?? null,
  last_sync: row.lastSync && {
    id: toId('sync', row.lastSync.ID),
    status: row.lastSync.status,
    finished_at: row.lastSync.finishedAt ?? null,
  },
  data_as_of: row.dataAsOf ?? null,
  created_at: row.createdAt,
})
