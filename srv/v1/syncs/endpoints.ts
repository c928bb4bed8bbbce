import { z } from 'zod'
import { endpoint } from '../http/endpoint.ts'
import { listEndpoint, type ServicePage } from '../http/page.ts'
import { fromId } from '../http/ids.ts'
import { send } from '../http/send.ts'
import { readSource } from '../sources/endpoints.ts'
import { type ServiceSync, Sync, SyncMode, toSync } from './to-sync.ts'

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
  async handle({ params: { id } }) {
    return { status: 200, body: toSync(await readSync(id)) }
  },
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
  async handle({ params: { id } }) {
    const sync = await send<ServiceSync>(SERVICE, 'cancel', { ID: fromId('sync', id) })
    return { status: 200, body: toSync(sync) }
  },
})

export const syncEndpoints = [startSync, listSyncs, getSync, cancelSync]
