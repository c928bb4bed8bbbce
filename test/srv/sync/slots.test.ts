// How many syncs an instance works on at once, and what becomes of the others.
import { setTimeout as sleep } from 'node:timers/promises'
import cds from '@sap/cds'
import { type Erp, startErp } from '../../../sandbox/index.ts'
import { Syncs } from '../../../srv/base/database/entities.ts'
import { calculateInTurn, hasRoom, leaveSlot, noteMove } from '../../../srv/domain/sync/run.ts'
import { startSync, type Sync, syncWorker } from '../../../srv/domain/sync/index.ts'
import { connect } from '../s4hana/source.ts'
import { connectFiles, finished, steadyDemand } from '../../support/server.ts'

const { SELECT } = cds.ql

let erp: Erp
afterAll(() => erp?.close())

it('a second sync waits as queued until the first has ended', async () => {
  erp = await startErp({ size: 30, days: 20 })
  const { source } = await connect(erp)
  const quick = await connectFiles('quick', { 'demand.csv': steadyDemand(['A']) })
  const start = (of: number) => startSync({ source: of, mode: 'full' })
  erp.control.set({ latencyMs: 60 })
  const [slow, waiting] = [await start(source), await start(quick)]
  const statusOf = async ({ ID }: Sync) => (await SELECT.one.from(Syncs).where({ ID }))!.status!
  while ((await statusOf(slow)) === 'queued') await sleep(20)
  await syncWorker.wake()
  expect(await statusOf(waiting)).toBe('queued')
  erp.control.set({ latencyMs: 0 })
  expect(await finished(slow.ID)).toMatchObject({ status: 'succeeded' })
  expect(await finished(waiting.ID)).toMatchObject({ status: 'succeeded' })
  const [first, second] = [slow, waiting].map(({ ID }) => SELECT.one.from(Syncs).where({ ID }))
  expect(String((await second)!.startedAt) >= String((await first)!.finishedAt)).toBe(true)
})

it('one whose ERP has sent nothing for a minute makes room, but not for what calculates', async () => {
  const inAMinute = Date.now() + 61_000
  noteMove(-1)
  expect(hasRoom()).toBe(false)
  expect(hasRoom(inAMinute)).toBe(true)
  noteMove(-2)
  let end = () => {}
  const order: string[] = []
  const { signal } = new AbortController()
  const second = calculateInTurn(-2, signal, async () => {
    order.push('second begins')
    await new Promise<void>((resolve) => (end = resolve))
    order.push('second ends')
  })
  expect(hasRoom(inAMinute)).toBe(false)
  const first = calculateInTurn(-1, signal, async () => void order.push('first'))
  await sleep(50)
  end()
  await Promise.all([first, second])
  expect(order).toEqual(['second begins', 'second ends', 'first'])
  leaveSlot(-1)
  leaveSlot(-2)
  expect(hasRoom()).toBe(true)
})

it('one that is stopped while it waits for its turn waits no longer; one that calculates is waited for', async () => {
  const stop = new AbortController()
  let end = () => {}
  let isOver = false
  const first = calculateInTurn(-3, stop.signal, async () => {
    await new Promise<void>((resolve) => (end = resolve))
    isOver = true
  })
  const second = calculateInTurn(-4, stop.signal, () => Promise.resolve())
  await sleep(10)
  stop.abort(new Error('stopped'))
  await expect(second).rejects.toThrow('stopped')
  setTimeout(() => end(), 50)
  await expect(first).rejects.toThrow('stopped')
  expect(isOver).toBe(true)
  for (const ID of [-3, -4]) leaveSlot(ID)
})
