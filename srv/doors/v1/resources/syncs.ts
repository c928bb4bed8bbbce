import { z } from 'zod'
import type { Sync as SyncRow, SyncStatus } from '#cds-models/restock'
import { endpoint } from '../http/endpoint.ts'
import { listEndpoint } from '../http/page.ts'
import { fieldMap, fieldsOf, fromId, named, toId } from '../http/field-map.ts'
import * as domain from '../../../domain/sync/index.ts'
import { ofSource } from './sources.ts'
import { codesOf } from '../../../base/input.ts'

const SyncMode = codesOf<NonNullable<SyncRow['mode']>>({ incremental: true, full: true })
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

const field = fieldsOf<domain.Sync>()

const [Sync, toSync] = fieldMap<domain.Sync>()('Sync', {
  id: field('ID', z.string(), (ID) => toId('sync', ID)),
  source_id: field('source', z.string(), (source) => toId('src', source)),
  mode: SyncMode,
  status: Status,
  phase: z.string().nullable(),
  progress: field(
    'done',
    z.object({ done: z.number(), total: z.number().nullable(), unit: z.string().nullable() }),
    (done, { total, unit }) => ({ done, total, unit }),
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
      read,
      upserted,
      unchanged,
      quarantined,
      deleted,
    }),
  ),
  started_at: z.iso.datetime().nullable(),
  finished_at: z.iso.datetime().nullable(),
  estimated_end_at: z.iso.datetime().nullable(),
  issues: field('issues', z.array(Issue)),
  notes: field('notes', z.array(Issue)),
})

const ofSync = named('sync', domain.readSync)

const startSync = endpoint({
  method: 'post',
  path: '/sources/:id/sync',
  summary: 'Starts a synchronisation, followed by forecasts and proposals',
  scopes: ['sync:run'],
  body: z.strictObject({ mode: SyncMode }),
  names: true,
  example: { body: { mode: 'incremental' } },
  answers: { 202: Sync },
  of: ofSource,
  errors: ['sync_in_progress', 'source_not_connected'],
  async handle({ params: { id }, body: { mode } }) {
    const sync = toSync(await domain.startSync({ source: fromId('src', id), mode }))
    return { status: 202, headers: { Location: `/v1/syncs/${sync.id}` }, body: sync }
  },
})

const listSyncs = listEndpoint({
  path: '/sources/:id/syncs',
  summary: 'Lists the synchronisations of an ERP, newest first',
  scopes: ['sources:manage', 'sync:run'],
  row: Sync,
  toJson: toSync,
  of: ofSource,
  async fetch(page, _filters, params) {
    const { ID: source } = await ofSource.find(params)
    return domain.listSyncs({ source, ...page })
  },
})

const getSync = endpoint({
  method: 'get',
  path: '/syncs/:id',
  summary: 'Shows a synchronisation and its progress',
  scopes: ['sync:run'],
  answers: { 200: Sync },
  of: ofSync,
  json: async ({ params }) => toSync(await ofSync.find(params)),
})

const cancelSync = endpoint({
  method: 'post',
  path: '/syncs/:id/cancel',
  summary: 'Stops a synchronisation that has not finished',
  scopes: ['sync:run'],
  bodyOptional: true,
  answers: { 200: Sync },
  of: ofSync,
  errors: ['sync_already_finished'],
  json: async ({ params: { id } }) => toSync(await domain.cancelSync(fromId('sync', id))),
})

export const syncEndpoints = [startSync, listSyncs, getSync, cancelSync]
