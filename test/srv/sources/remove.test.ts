import { setTimeout as sleep } from 'node:timers/promises'
import cds from '@sap/cds'
import { Syncs } from '../../../srv/base/database/entities.ts'
import { readSource, removeSource } from '../../../srv/domain/sources/index.ts'
import { readSync, startSync } from '../../../srv/domain/sync/index.ts'
import { connectFiles, finished, steadyDemand } from '../../support/server.ts'

const { INSERT, SELECT, UPDATE } = cds.ql

const SKUS = Array.from({ length: 400 }, (_, at) => `R-${at}`)

const rowsOf = (source: number, entity: string) =>
  SELECT.from(`restock.${entity}`).where({ source_ID: source })

it('cancels the sync under way, and forgets what it has read', async () => {
  const demand = steadyDemand(SKUS, { days: 400 })
  const source = await connectFiles('removed', { 'demand.csv': demand })
  const { ID } = await startSync({ source, mode: 'full' })
  while (!(await readSync(ID)).rowsRead) await sleep(20)

  await removeSource(source)

  expect((await finished(ID)).status).toBe('cancelled')
  expect(await rowsOf(source, 'Series')).toEqual([])
  expect(await rowsOf(source, 'StreamStates')).toEqual([])
  await expect(readSource(source)).rejects.toMatchObject({
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
  await expect(removeSource(source)).rejects.toMatchObject({
    code: 'sync_in_progress',
    options: { members: { sync_id: `sync_${ID}` } },
  })
  expect((await readSource(source)).status).toBe('connected')
  await UPDATE.entity(Syncs).set({ status: 'failed', activeFor: null }).where({ ID })
})
