import { z } from 'zod'
import type { Sync as SyncRow, SyncStatus } from '#cds-models/restock'
import { fieldMap, fieldsOf } from '../http/field-map.ts'
import { codesOf } from '../http/fields.ts'
import { toId } from '../http/ids.ts'

export const SyncMode = codesOf<NonNullable<SyncRow['mode']>>({ incremental: true, full: true })
const Status = codesOf<SyncStatus>({
  queued: true,
  running: true,
  succeeded: true,
  partial: true,
  failed: true,
  cancelled: true,
})

const Issue = z.object({
  code: z.string(),
  stream: z.string().nullable(),
  key: z.string().nullable(),
  message: z.string(),
})

/** A sync as SyncService answers it. */
export interface ServiceSync {
  ID: number
  source: number
  mode: z.infer<typeof SyncMode>
  status: z.infer<typeof Status>
  phase: string | null
  done: number
  total: number | null
  unit: string | null
  rowsRead: number
  upserted: number
  unchanged: number
  quarantined: number
  deleted: number
  issues: { code: string; stream?: string | null; key?: string | null; message: string }[]
  startedAt: string | null
  finishedAt: string | null
  estimatedEndAt: string | null
}

const field = fieldsOf<ServiceSync>()

export const [Sync, toSync] = fieldMap<ServiceSync>()('Sync', {
  id: field('ID', z.string(), (ID) => toId('sync', ID)),
  source_id: field('source', z.string(), (source) => toId('src', source)),
  mode: SyncMode,
  status: Status,
  phase: z.string().nullable(),
  progress: field(
    'done',
    z.object({ done: z.number(), total: z.number().nullable(), unit: z.string().nullable() }),
    (done, { total, unit }) => ({ done, total: total ?? null, unit: unit ?? null }),
  ),
  counts: field(
    'rowsRead',
    z.object({
      read: z.int(),
      upserted: z.int(),
      unchanged: z.int(),
      quarantined: z.int(),
      deleted: z.int(),
    }),
    (read, { upserted, unchanged, quarantined, deleted }) => ({
      ...{ read, upserted, unchanged, quarantined, deleted },
    }),
  ),
  started_at: z.iso.datetime().nullable(),
  finished_at: z.iso.datetime().nullable(),
  estimated_end_at: z.iso.datetime().nullable(),
  issues: field('issues', z.array(Issue), (issues) =>
    issues.map(({ code, stream = null, key = null, message }) => ({ code, stream, key, message })),
  ),
})
