// Work on a source that two callers want to do at once, on one instance or on two.
import { setTimeout as sleep } from 'node:timers/promises'
import cds from '@sap/cds'
import { SourceTurns } from '../../../srv/base/database/entities.ts'
import { withSource } from '../../../srv/base/work/source-turn.ts'
import '../../support/server.ts'

const { SELECT, UPDATE, UPSERT } = cds.ql

// A file of SQLite has one process.
const isShared = () => cds.db.kind !== 'sqlite'

const hold = (source: number, milliseconds: number) =>
  UPSERT.into(SourceTurns).entries({
    ...{ name: `src_${source} proposals`, owner: 'another instance' },
    leaseUntil: new Date(Date.now() + milliseconds).toISOString(),
  })

it('is done by one after the other, also after a failure; other sources and other work are not waited for', async () => {
  const done: string[] = []
  let atOnce = 0
  const work = (name: string) => async () => {
    expect(++atOnce).toBe(1)
    await sleep(30)
    atOnce--
    done.push(name)
    if (name === 'b') throw new Error('b')
  }
  const [a, b, c] = ['a', 'b', 'c'].map((name) => withSource(1, 'proposals', work(name)))
  const free = withSource(1, 'forecasts', async () => void done.push('forecasts'))
  const other = withSource(2, 'proposals', async () => void done.push('other'))
  await expect(b).rejects.toThrow('b')
  await Promise.all([a, c, free, other])
  expect(done.filter((name) => name.length === 1)).toEqual(['a', 'b', 'c'])
  expect(done).toHaveLength(5)
  const rows = await SELECT.from(SourceTurns).where({ owner: { '!=': null } })
  expect(rows).toEqual([])
})

it('waits for another instance, and goes on when its lease has ended', async () => {
  if (!isShared()) return
  await hold(3, 2_000)
  let isDone = false
  const work = withSource(3, 'proposals', async () => {
    isDone = true
  })
  await sleep(1_000)
  expect(isDone).toBe(false)
  await work
  expect(isDone).toBe(true)
})

it('waits no longer once it is told to stop', async () => {
  if (!isShared()) return
  await hold(4, 600_000)
  const stop = new AbortController()
  const work = withSource(4, 'proposals', () => Promise.resolve(), stop.signal)
  setTimeout(() => stop.abort(), 300)
  await expect(work).rejects.toMatchObject({ name: 'AbortError' })
  await UPDATE.entity(SourceTurns)
    .set({ owner: null, leaseUntil: null })
    .where({ owner: 'another instance' })
})

it('keeps its turn for as long as it takes', async () => {
  if (!isShared()) return
  const leaseUntil = async () =>
    (await SELECT.one.from(SourceTurns).where({ name: 'src_5 proposals' }))!.leaseUntil!
  await withSource(5, 'proposals', async () => {
    const before = await leaseUntil()
    await sleep(4_500)
    expect(Date.parse(await leaseUntil())).toBeGreaterThan(Date.parse(before))
  })
})
