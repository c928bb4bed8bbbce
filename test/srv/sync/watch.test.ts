// A watched folder: what changes in it is read by itself, and nothing that is not whole.
import cds from '@sap/cds'
import { Sources, Syncs } from '../../../srv/base/database/entities.ts'
import { watchSources } from '../../../srv/domain/sync/workers.ts'
import { connectFiles, finished, sync, writeFiles } from '../../support/server.ts'

const { SELECT, UPDATE } = cds.ql

const demand = (...quantities: number[]) =>
  ['sku,location,date,quantity', ...quantities.map((each, at) => `A,L1,2026-11-0${at + 1},${each}`)]
    .map((row) => `${row}\n`)
    .join('')

const round = () => watchSources(new AbortController().signal)
const syncsOf = (source: number) =>
  SELECT.from(Syncs).columns('ID', 'mode').where({ source_ID: source }).orderBy('ID')

/** Rounds until one has seen the same twice. @returns the syncs that have begun */
async function settle(source: number) {
  for (const _ of [1, 2, 3]) await round()
  const all = await syncsOf(source)
  for (const { ID } of all) await finished(ID)
  return all
}

it('is read when it changes, once, also after a restart', async () => {
  const more = { options: { watch: true } }
  const source = await connectFiles('watched', { 'demand.csv': demand(1, 2) }, more)
  expect(await settle(source)).toMatchObject([{ mode: 'incremental' }])
  expect(await settle(source)).toHaveLength(1)
  await writeFiles('watched', { 'demand.csv': demand(1, 2, 3) })
  expect(await settle(source)).toHaveLength(2)
  // What was seen is stored: another instance, or this one after a restart, begins nothing anew.
  const { watchedState } = (await SELECT.one.from(Sources).where({ ID: source }))!
  expect(watchedState).toMatch(/^[0-9a-f]{64}$/)
  await UPDATE.entity(Sources).set({ watchedState: 'of a day before' }).where({ ID: source })
  expect(await settle(source)).toHaveLength(3)
})

it('awaits what its manifest names, says so, and keeps what was read', async () => {
  const text = demand(4, 5)
  const manifest = (size: number) => JSON.stringify({ files: [{ name: 'demand.csv', size }] })
  const files = { 'demand.csv': text, 'manifest.json': manifest(text.length) }
  const source = await connectFiles('dropped', files, { options: { watch: 'true' } })
  expect(await settle(source)).toHaveLength(1)
  await writeFiles('dropped', { 'demand.csv': demand(4, 5, 6).slice(0, -4) })
  expect(await settle(source)).toHaveLength(1)
  const awaiting = await sync(source)
  expect(awaiting).toMatchObject({
    status: 'partial',
    issues: [
      { code: 'file_awaited', stream: 'demand', key: 'demand.csv', remedy: expect.any(String) },
    ],
  })
  expect(await sync(source, 'full')).toMatchObject({ status: 'partial' })
  const whole = demand(4, 5, 6)
  await writeFiles('dropped', { 'demand.csv': whole, 'manifest.json': manifest(whole.length) })
  expect(await settle(source)).toHaveLength(4)
  expect(await sync(source)).toMatchObject({ status: 'succeeded', issues: [] })
})

it('fails where nothing was read before', async () => {
  const files = { 'demand.csv': demand(1), 'manifest.json': '{"files": []}' }
  const source = await connectFiles('first-drop', files)
  expect(await sync(source)).toMatchObject({
    ...{ status: 'failed', issues: [{ code: 'file_awaited' }] },
  })
})

it('is no folder that nobody wants watched', async () => {
  const source = await connectFiles('unwatched', { 'demand.csv': demand(1) })
  expect(await settle(source)).toHaveLength(0)
})
