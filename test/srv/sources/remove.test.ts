import { setTimeout as sleep } from 'node:timers/promises'
import cds from '@sap/cds'
import { Syncs } from '../../../srv/base/database/entities.ts'
import { connectFiles, finished, steadyDemand, type SyncResult } from '../../support/server.ts'

const { INSERT, SELECT, UPDATE } = cds.ql

const SKUS = Array.from({ length: 400 }, (_, at) => `R-${at}`)

const rowsOf = (source: number, entity: string) =>
  SELECT.from(`restock.${entity}`).where({ source_ID: source })

const send = async (service: string, event: string, data: object) =>
  (await cds.connect.to(service)).send<SyncResult>(event, data)

it('cancels the sync under way, and forgets what it has read', async () => {
  const demand = steadyDemand(SKUS, { days: 400 })
  const source = await connectFiles('removed', { 'demand.csv': demand })
  const { ID } = await send('SyncService', 'start', { source, mode: 'full' })
  while (!(await send('SyncService', 'find', { ID })).rowsRead) await sleep(20)

  await send('SourcesService', 'remove', { ID: source })

  expect((await finished(ID)).status).toBe('cancelled')
  expect(await rowsOf(source, 'Series')).toEqual([])
  expect(await rowsOf(source, 'StreamStates')).toEqual([])
  await expect(send('SourcesService', 'find', { ID: source })).rejects.toMatchObject({
    code: 'source_not_found',
  })
})

it('keeps the source of a sync that does not stop', async () => {
  const source = await connectFiles('kept', { 'demand.csv': steadyDemand(['R-1']) })
  const ID = 900_001
  await INSERT.into(Syncs).entries({
    ...{ ID, source_ID: source, mode: 'full', status: 'running', activeFor: source },
    ...{ owner: 'another', leaseUntil: new Date(Date.now() + 60_000).toISOString() },
  })
  await expect(send('SourcesService', 'remove', { ID: source })).rejects.toMatchObject({
    code: 'sync_in_progress',
    options: { members: { sync_id: `sync_${ID}` } },
  })
  expect((await send('SourcesService', 'find', { ID: source })).status).toBe('connected')
  await UPDATE.entity(Syncs).set({ status: 'failed', activeFor: null }).where({ ID })
})
