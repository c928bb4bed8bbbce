import cds from '@sap/cds'
import { RunChunks, Syncs } from '../../srv/base/database/entities.ts'
import { chunkContext, chunkWorker, doInChunks } from '../../srv/base/work/chunks.ts'
import { defineStep } from '../../srv/base/work/steps.ts'
import { advanceTurn, executing, isTurn, RunStopped } from '../../srv/base/work/runs.ts'
import { INSTANCE } from '../../srv/base/work/lease.ts'
import '../support/server.ts'

const { INSERT, SELECT, UPDATE } = cds.ql

let shared = 0
const DOUBLING = defineStep<number, number>({
  name: 'double',
  isOnThreads: true,
  async work(number, { share }) {
    await share('something', () => Promise.resolve(++shared))
    if (number < 0) throw new Error('Only whole numbers are doubled.')
    return () => Promise.resolve({ result: 2 * number, isAdvance: true })
  },
})

const turn = 3
let sync = 900
const of = () => ({ source: 7, sync })
const chunksOf = (...inputs: number[]) => inputs.map((input) => ({ input, units: 10 }))
const rowOf = async () => (await SELECT.one.from(Syncs).where({ ID: sync }))!

beforeAll(async () => {
  // The first round of the worker makes pg-boss's schema.
  await chunkWorker.wake()
})

beforeEach(async () => {
  const leaseUntil = new Date(Date.now() + 60_000).toISOString()
  await INSERT.into(Syncs).entries({
    ...{ ID: ++sync, source_ID: 7, mode: 'full', status: 'running', phase: 'forecasting' },
    ...{ turn, owner: INSTANCE, leaseUntil, activeFor: sync },
  })
})

const inRun = <T>(work: () => Promise<T>) =>
  executing({ sync, turn, signal: new AbortController().signal }, work)

it('gives the results in the order of the chunks, and adds up their progress', async () => {
  shared = 0
  const results = await inRun(() =>
    doInChunks(DOUBLING, chunkContext(of()), chunksOf(1, 2, 3, 4, 5, 6, 7)),
  )
  expect(results).toEqual([2, 4, 6, 8, 10, 12, 14])
  expect(await rowOf()).toMatchObject({ advances: 7 })
  expect(Number((await rowOf()).done)).toBe(70)
  expect(shared).toBe(1)
  expect(await SELECT.from(RunChunks).where({ sync })).toEqual([])
})

it('fails with what a chunk fails with', async () => {
  const doing = inRun(() => doInChunks(DOUBLING, chunkContext(of()), chunksOf(1, -1, 3)))
  await expect(doing).rejects.toThrow('Only whole numbers are doubled.')
})

it('does what no run asks for, and nothing for no chunks', async () => {
  const context = chunkContext({ source: 7, sync: null })
  expect(await doInChunks(DOUBLING, context, chunksOf(4, 5))).toEqual([8, 10])
  expect(await doInChunks(DOUBLING, context, [])).toEqual([])
})

it('stops where the run is cancelled, or another instance has taken it up', async () => {
  await UPDATE.entity(Syncs).set({ cancelRequested: true }).where({ ID: sync })
  const doing = () => inRun(() => doInChunks(DOUBLING, chunkContext(of()), chunksOf(1, 2)))
  await expect(doing()).rejects.toMatchObject({ name: 'RunStopped', cancelled: true })
  await UPDATE.entity(Syncs)
    .set({ cancelRequested: false, turn: turn + 1, owner: 'another' })
    .where({ ID: sync })
  await expect(doing()).rejects.toMatchObject({ name: 'RunStopped', cancelled: false })
  expect(await isTurn({ sync, turn })).toBe(false)
  await expect(advanceTurn({ sync, turn }, 1, true)).rejects.toBeInstanceOf(RunStopped)
  expect(Number((await rowOf()).done)).toBe(0)
})
