import { z } from 'zod'
import type { Sync as SyncRow, SyncStatus } from '#cds-models/restock'
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

export const Sync = z
  .object({
    id: z.string(),
    source_id: z.string(),
    mode: SyncMode,
    status: Status,
    phase: z.string().nullable(),
    progress: z.object({
      done: z.number(),
      total: z.number().nullable(),
      unit: z.string().nullable(),
    }),
    counts: z.object({
      read: z.int(),
      upserted: z.int(),
      unchanged: z.int(),
      quarantined: z.int(),
      deleted: z.int(),
    }),
    started_at: z.iso.datetime().nullable(),
    finished_at: z.iso.datetime().nullable(),
    estimated_end_at: z.iso.datetime().nullable(),
    issues: z.array(Issue),
  })
  .meta({ id: 'Sync' })

type Sync = z.infer<typeof Sync>

/** A sync as SyncService answers it. */
export interface ServiceSync {
  ID: number
  source: number
  mode: Sync['mode']
  status: Sync['status']
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

export const toSync = (row: ServiceSync): Sync => ({
  id: toId('sync', row.ID),
  source_id: toId('src', row.source),
  mode: row.mode,
  status: row.status,
  phase: row.phase ?? null,
  progress: { done: row.done, total: row.total ?? null, unit: row.unit ?? null },
  counts: {
    read: row.rowsRead,
    upserted: row.upserted,
    unchanged: row.unchanged,
    quarantined: row.quarantined,
    deleted: row.deleted,
  },
  started_at: row.startedAt ?? null,
  finished_at: row.finishedAt ?? null,
  estimated_end_at: row.estimatedEndAt ?? null,
  issues: row.issues.map(({ code, stream, key, message }) => ({
    code,
    stream: stream ?? null,
    key: key ?? null,
    message,
  })),
})
