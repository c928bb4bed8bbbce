import { jest } from '@jest/globals'
import { setTimeout as sleep } from 'node:timers/promises'
import cds from '@sap/cds'
import { Syncs } from '../../srv/base/database/entities.ts'
import { acquireLease, releaseLease, renewLease } from '../../srv/base/work/lease.ts'
import { overdueRounds, startWorkers, stopWorkers, Worker } from '../../srv/base/work/worker.ts'
import '../support/server.ts'

const { INSERT, SELECT } = cds.ql

describe('a worker', () => {
  it('begins at once, and never two rounds at the same time', async () => {
    let [rounds, atOnce, most] = [0, 0, 0]
    const worker = new Worker({
      name: 'test',
      every: 5,
      async work() {
        rounds++
        most = Math.max(most, ++atOnce)
        await sleep(20)
        atOnce--
      },
    })
    worker.start()
    expect(rounds).toBe(1)
    while (rounds < 3) await sleep(5)
    await worker.stop()
    expect(most).toBe(1)
  })

  it('begins another round for what came after the one under way had looked', async () => {
    const seen: number[] = []
    let waiting = 1
    const worker = new Worker({
      name: 'test',
      every: 60_000,
      async work() {
        seen.push(waiting)
        await sleep(20)
      },
    })
    worker.start()
    waiting = 2
    await Promise.all([worker.wake(), worker.wake()])
    expect(seen).toEqual([1, 2])
    await worker.stop()
  })

  it('gives up a round that hangs, names it, and begins the next one', async () => {
    const logged = jest.spyOn(cds.log('test'), 'error').mockImplementation(() => {})
    const hanging = Promise.withResolvers<void>()
    let rounds = 0
    const worker = new Worker({
      ...{ name: 'test', every: 50, deadlineSeconds: 0.4, isVital: true },
      work: () => (++rounds === 1 ? hanging.promise : new Promise(() => {})),
    })
    startWorkers([worker])
    while (rounds < 2) await sleep(20)
    expect(overdueRounds({ ofVital: true })).toEqual(['test'])
    hanging.resolve()
    await sleep(0)
    expect(overdueRounds()).toEqual([])
    await stopWorkers()
    logged.mockRestore()
  })

  it('goes on after a round that fails, and logs the same failure once', async () => {
    const logged = jest.spyOn(cds.log('test'), 'error').mockImplementation(() => {})
    let rounds = 0
    const worker = new Worker({
      name: 'test',
      every: 5,
      async work() {
        throw new Error(++rounds < 4 ? 'away' : 'broken')
      },
    })
    worker.start()
    while (rounds < 6) await sleep(5)
    await worker.stop()
    expect(logged.mock.calls.map(([, error]) => (error as Error).message)).toEqual([
      'away',
      'broken',
    ])
  })

  it('tells a round of the end, waits for it, and for what it has begun', async () => {
    const ended: string[] = []
    const worker = new Worker({
      name: 'test',
      every: 5,
      async work(stopping) {
        while (!stopping.aborted) await sleep(5)
        ended.push('round')
      },
      drain: async () => void ended.push('drain'),
    })
    startWorkers([worker])
    await stopWorkers()
    await worker.wake()
    expect(ended).toEqual(['round', 'drain'])
  })
})

describe('a lease', () => {
  const leaseOf = (owner: string) => ({ entity: 'restock.Syncs', key: { ID: 800_001 }, owner })
  const [one, other] = [leaseOf('one'), leaseOf('other')]

  beforeAll(() => INSERT.into(Syncs).entries({ ID: 800_001, status: 'failed' }))

  it('is held by one, until it is released', async () => {
    const all = await Promise.all([one, other].map((lease) => acquireLease(lease, 60_000)))
    expect(all.filter(Boolean)).toHaveLength(1)
    const [holder, loser] = all[0] ? [one, other] : [other, one]
    expect(await renewLease(loser, 60_000)).toBe(false)
    expect(await releaseLease(loser)).toBe(false)
    expect(await releaseLease(holder, { set: { phase: 'done' } })).toBe(true)
    expect(await acquireLease(loser, 60_000)).toBe(true)
    await releaseLease(loser)
  })

  it('that has ended is acquired by another, and lost to its owner', async () => {
    expect(await acquireLease(one, -1)).toBe(true)
    expect(await acquireLease(other, 60_000)).toBe(true)
    expect(await renewLease(one, 60_000, { set: { phase: 'late' } })).toBe(false)
    const where = { ID: 800_001 }
    const row = await SELECT.one.from(Syncs).columns('owner', 'phase').where(where)
    expect(row).toEqual({ owner: 'other', phase: 'done' })
    await releaseLease(other)
  })

  it('is not acquired where something else is not true of the row', async () => {
    expect(await acquireLease(one, 60_000, { where: { status: 'queued' } })).toBe(false)
  })
})
