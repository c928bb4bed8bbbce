import { z } from 'zod'
import type { Source as Stored } from '#cds-models/SourcesService'
import type { SourceStatus } from '#cds-models/restock'
import type { ServiceRow } from '../../store/service-row.ts'
import { fieldMap, fieldsOf } from '../http/field-map.ts'
import { codesOf } from '../http/fields.ts'
import { toId } from '../http/ids.ts'

const Status = codesOf<SourceStatus>({
  pending_consent: true,
  connected: true,
  reconsent_required: true,
  failing: true,
})

const [Schedule, toSchedule] = fieldMap<ServiceSource['schedules']['full']>()('Schedule', {
  expression: z
    .string()
    .describe('Cron of five fields by the clocks of the time zone of the source, or `off`.'),
  is_default: z.boolean().describe('Whether it is the configured one.'),
  next_run_at: z.iso.datetime().nullable(),
})

/** A source as SourcesService answers it. */
export type ServiceSource = ServiceRow<Stored>

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
          preview: z
            .array(z.string())
            .optional()
            .describe('The first rows of a file as they are understood.'),
          notes: z.array(z.string()).optional().describe('What an administrator should look at.'),
        }),
      )
      .describe(
        'The streams that were last checked and whether they can be read; empty before the first check.',
      ),
    (checks) =>
      checks.map(({ record: stream, status, message, preview, notes }) => ({
        ...{ stream, status, message },
        ...(preview && { preview }),
        ...(notes && { notes }),
      })),
  ),
  streams_checked_at: field('checkedAt', z.iso.datetime().nullable()),
  time_zone: field(
    'timeZone',
    z
      .string()
      .describe('Of its schedules, and of the days of locations of which nothing else says it.'),
  ),
  schedules: field(
    'schedules',
    z.object({ full: Schedule, incremental: Schedule }),
    ({ full, incremental }) => ({ full: toSchedule(full), incremental: toSchedule(incremental) }),
  ),
  precedence: z
    .int()
    .describe(
      'Of several sources with the same SKU and location the one with the least leads; of equal ones the one that was connected first.',
    ),
  led_by: field(
    'ledBy',
    z
      .array(z.object({ source_id: z.string(), pairs: z.int() }))
      .describe(
        'Other sources that lead pairs of this one, which it does not forecast: listed as blocked.',
      ),
    (led) => led.map(({ source, pairs }) => ({ source_id: toId('src', source), pairs })),
  ),
  problem: z
    .object({ code: z.string(), message: z.string() })
    .nullable()
    .describe('Why the last consent failed or is no longer valid.'),
  consent_expires_at: z.iso.datetime().nullable().describe('When the consent request expires.'),
  consent_ends_at: z.iso
    .datetime()
    .nullable()
    .describe(
      'When the ERP ends the consent, whatever is read: consent again before. Null where it does not.',
    ),
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
