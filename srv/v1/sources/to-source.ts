import { z } from 'zod'
import type { SourceStatus } from '#cds-models/restock'
import { fieldMap, fieldsOf } from '../http/field-map.ts'
import { codesOf } from '../http/fields.ts'
import { toId } from '../http/ids.ts'

const Status = codesOf<SourceStatus>({
  pending_consent: true,
  connected: true,
  reconsent_required: true,
  failing: true,
})

interface ServiceSchedule {
  expression: string
  isDefault: boolean
  nextRunAt: string | null
}

const [Schedule, toSchedule] = fieldMap<ServiceSchedule>()('Schedule', {
  expression: z.string().describe('Cron of five fields in UTC, or `off`.'),
  is_default: z.boolean().describe('Whether it is the configured one.'),
  next_run_at: z.iso.datetime().nullable(),
})

/** A source as SourcesService answers it. */
export interface ServiceSource {
  ID: number
  type: string
  account: string
  role: string
  baseUrl: string | null
  demo: boolean
  status: z.infer<typeof Status>
  neededRights: string[] | null
  grantedRights: string[] | null
  checks: { record: string; status: string; message: string | null }[]
  checkedAt: string | null
  schedules: { full: ServiceSchedule; incremental: ServiceSchedule }
  problem: { code: string; message: string } | null
  lastSync: { ID: number; status: string; finishedAt: string | null } | null
  dataAsOf: string | null
  createdAt: string
  authorizationUrl?: string | null
  consentExpiresAt?: string | null
}

const field = fieldsOf<ServiceSource>()

export const [Source, toSource] = fieldMap<ServiceSource>()('Source', {
  id: field('ID', z.string(), (ID) => toId('src', ID)),
  type: z.string(),
  account: z.string(),
  role: z.string(),
  base_url: z.string().nullable(),
  demo: z.boolean().describe('Whether it is the demo data that the service generates.'),
  status: Status,
  needed_rights: field('neededRights', z.array(z.string()), (rights) => rights ?? []),
  granted_rights: field('grantedRights', z.array(z.string()), (rights) => rights ?? []),
  streams: field(
    'checks',
    z
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
    (checks) => checks.map(({ record: stream, status, message }) => ({ stream, status, message })),
  ),
  streams_checked_at: field('checkedAt', z.iso.datetime().nullable()),
  schedules: field(
    'schedules',
    z.object({ full: Schedule, incremental: Schedule }),
    ({ full, incremental }) => ({ full: toSchedule(full), incremental: toSchedule(incremental) }),
  ),
  problem: z
    .object({ code: z.string(), message: z.string() })
    .nullable()
    .describe('Why the last consent failed or is no longer valid.'),
  consent_expires_at: z.iso.datetime().nullable().describe('When the consent request expires.'),
  last_sync: field(
    'lastSync',
    z
      .object({ id: z.string(), status: z.string(), finished_at: z.iso.datetime().nullable() })
      .nullable(),
    (sync) =>
      sync && {
        id: toId('sync', sync.ID),
        status: sync.status,
        finished_at: sync.finishedAt ?? null,
      },
  ),
  data_as_of: z.iso.date().nullable(),
  created_at: z.iso.datetime(),
})
