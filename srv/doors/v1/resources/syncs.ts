import { z } from 'zod'
import type { Sync as SyncRow, SyncStatus } from '#cds-models/restock'
import { endpoint } from '../http/endpoint.ts'
import { listEndpoint, type ServicePage } from '../http/page.ts'
import { fromId, toId } from '../http/ids.ts'
import { send } from '../../../base/cap/context.ts'
import type { ServiceRow } from '../../../base/database/service-row.ts'
import { readSource } from './sources.ts'
import { fieldMap, fieldsOf } from '../http/field-map.ts'
import { codesOf } from '../../../base/input.ts'

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
  impact: z.string(),
  remedy: z.string(),
})
type Issue = z.infer<typeof Issue>

type StoredIssue = Partial<Pick<Issue, 'stream' | 'key'>> & Omit<Issue, 'stream' | 'key'>

const toIssue = ({ stream = null, key = null, ...issue }: StoredIssue): Issue => ({
  ...{ code: issue.code, stream, key, message: issue.message },
  ...{ impact: issue.impact, remedy: issue.remedy },
})

/** A sync as SyncService answers it. */
export type ServiceSync = Omit<ServiceRow<SyncRow>, 'source' | 'issues' | 'notes'> & {
  source: number
  issues: StoredIssue[]
  notes: StoredIssue[]
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
  issues: field('issues', z.array(Issue), (issues) => issues.map(toIssue)),
  notes: field('notes', z.array(Issue), (notes) => notes.map(toIssue)),
})

const SERVICE = 'SyncService'

const readSync = (id: string | undefined) =>
  send<ServiceSync>(SERVICE, 'find', { ID: fromId('sync', id) })

const startSync = endpoint({
  method: 'post',
  path: '/sources/:id/sync',
  summary: 'Starts a synchronisation, followed by forecasts and proposals',
  scopes: ['sync:run'],
  body: z.strictObject({ mode: SyncMode }),
  names: true,
  example: { body: { mode: 'incremental' } },
  answers: { 202: Sync },
  errors: ['source_not_found', 'sync_in_progress', 'source_not_connected'],
  exists: ({ id }) => readSource(id),
  async handle({ params: { id }, body: { mode } }) {
    const data = { source: fromId('src', id), mode }
    const sync = toSync(await send<ServiceSync>(SERVICE, 'start', data))
    return { status: 202, headers: { Location: `/v1/syncs/${sync.id}` }, body: sync }
  },
})

const listSyncs = listEndpoint({
  path: '/sources/:id/syncs',
  summary: 'Lists the synchronisations of an ERP, newest first',
  scopes: ['sources:manage', 'sync:run'],
  row: Sync,
  toJson: toSync,
  errors: ['source_not_found'],
  exists: ({ id }) => readSource(id),
  async fetch(page, _filters, { id }) {
    await readSource(id)
    return send<ServicePage<ServiceSync>>(SERVICE, 'list', { source: fromId('src', id), ...page })
  },
})

const getSync = endpoint({
  method: 'get',
  path: '/syncs/:id',
  summary: 'Shows a synchronisation and its progress',
  scopes: ['sync:run'],
  answers: { 200: Sync },
  errors: ['not_found'],
  exists: ({ id }) => readSync(id),
  json: async ({ params: { id } }) => toSync(await readSync(id)),
})

const cancelSync = endpoint({
  method: 'post',
  path: '/syncs/:id/cancel',
  summary: 'Stops a synchronisation that has not finished',
  scopes: ['sync:run'],
  bodyOptional: true,
  answers: { 200: Sync },
  errors: ['not_found', 'sync_already_finished'],
  exists: ({ id }) => readSync(id),
  json: async ({ params: { id } }) =>
    toSync(await send(SERVICE, 'cancel', { ID: fromId('sync', id) })),
})

export const syncEndpoints = [startSync, listSyncs, getSync, cancelSync]
