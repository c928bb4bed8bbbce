// Limits that several instances share, each played by a limiter of its own; v1/instances has real ones.
import { setTimeout as sleep } from 'node:timers/promises'
import { jest } from '@jest/globals'
import cds from '@sap/cds'
import { RateLimits } from '../../../srv/base/database/entities.ts'
import { inDatabase, inSteps, Limiter } from '../../../srv/doors/v1/limiter.ts'
import { SharedCount } from '../../../srv/base/http/rates.ts'
import '../../support/server.ts'

const { SELECT, UPDATE } = cds.ql

const shared = () => new Limiter(inDatabase)

async function allowed(count: number, take: (at: number) => Promise<{ refused: boolean }>) {
  const standings = await Promise.all(Array.from({ length: count }, (_, at) => take(at)))
  return standings.filter(({ refused }) => !refused).length
}

/** Lets the window of a key end now. */
const pass = (name: string) =>
  UPDATE.entity(RateLimits)
    .set({ endsAt: new Date(Date.now() - 1).toISOString() })
    .where({ ID: name })

describe('limits in the database', () => {
  it('let exactly the limit through over several instances, window after window', async () => {
    const limiters = [shared(), shared(), shared()]
    const take = (at: number) => limiters[at % 3]!.takeKey('batch', 'a', 'one')
    expect(await allowed(90, take)).toBe(20)
    expect(await take(0)).toMatchObject({ refused: true, remaining: 0, limit: 20 })
    await pass('key:batch:a')
    expect(await allowed(90, take)).toBe(20)
  })

  it('hold for the keys of an account together', async () => {
    const limiters = [shared(), shared()]
    const take = (key: string) => (at: number) => limiters[at % 2]!.takeKey('batch', key, 'two')
    for (const key of ['b', 'c', 'd']) expect(await allowed(25, take(key))).toBe(20)
    expect(await allowed(25, take('e'))).toBe(0)
    const rows = await SELECT.from(RateLimits).where({ ID: 'key:batch:e' })
    expect(Number(rows[0]!.calls)).toBe(0)
  })

  it('cost a caller who calls often few statements', async () => {
    const limiter = shared()
    const statements = jest.fn()
    cds.db.before(['INSERT', 'UPDATE'], 'restock.RateLimits', statements)
    const remaining: number[] = []
    for (let call = 0; call < 600; call++) {
      const standing = await limiter.takeKey('forecasts', 'often', 'four')
      expect(standing.refused).toBe(false)
      remaining.push(standing.remaining)
    }
    expect(remaining).toEqual(Array.from({ length: 600 }, (_, at) => 599 - at))
    expect(await limiter.takeKey('forecasts', 'often', 'four')).toMatchObject({ refused: true })
    expect(statements.mock.calls.length).toBeLessThan(200)
  })

  it('give back what an instance has taken and not used', async () => {
    const [one, other] = [shared(), shared()]
    const take = (limiter: Limiter) => () => limiter.takeKey('proposals', 'rest', 'five')
    for (let call = 0; call < 5; call++) await take(one)()
    await sleep(1_500)
    let through = 0
    while (!(await take(other)()).refused) through++
    expect(through).toBe(115)
  })

  it('tell a caller how far it is', async () => {
    const take = () => shared().takeKey('batch', 'f', 'three')
    const before = Date.now()
    const first = await take()
    expect(first).toMatchObject({ limit: 20, remaining: 19, refused: false })
    expect(first.msToReset).toBeLessThanOrEqual(60_000)
    expect(Date.now() + first.msToReset).toBeGreaterThanOrEqual(before + 60_000)
    expect(await take()).toMatchObject({ remaining: 18 })
  })
})

it('of addresses are told to the other instances within seconds', async () => {
  const stepwise = () => new Limiter(inDatabase, inSteps)
  const [one, other] = [stepwise(), stepwise()]
  const calls = (limiter: Limiter, count: number) =>
    allowed(count, () => limiter.takeAddress('10.9.8.7'))
  expect(await calls(one, 100)).toBe(100)
  expect(await calls(other, 30)).toBe(30)
  let later = 0
  while (later < 40 && (await calls(other, 1)) === 1) {
    later++
    await sleep(250)
  }
  expect(later).toBeLessThan(40)
})

describe('counts that are told in portions', () => {
  const shared = (name: string, points: number) => new SharedCount(name, points, true)

  it('let a tenth more through for each further instance, window after window', async () => {
    const counts = [shared('t', 100), shared('t', 100), shared('t', 100)]
    let through = 0
    for (let call = 0; call < 240; call++) {
      const { consumedPoints } = await counts[call % 3]!.add('a')
      if (consumedPoints <= 100) through++
      await sleep(2)
    }
    expect(through).toBeGreaterThanOrEqual(100)
    // Each counts a call that is under way while others are told a moment later.
    expect(through).toBeLessThanOrEqual(120 + counts.length)
  })

  it('stand where they stood once refused calls are uncounted', async () => {
    const [one, other] = [shared('u', 10), shared('u', 10)]
    for (let i = 0; i < 5; i++) {
      expect((await one.add('a', 6)).consumedPoints).toBe(i ? 12 : 6)
      if (i) await one.add('a', -6)
      await sleep(5)
    }
    await other.add('a', 2)
    await sleep(50)
    expect((await other.look('a'))!.consumedPoints).toBeGreaterThanOrEqual(8)
    expect((await one.add('a', 0)).consumedPoints).toBe(6)
  })

  it('write nothing for callers with a few calls', async () => {
    const count = shared('few', 100)
    for (let caller = 0; caller < 50; caller++) await count.add(`c${caller}`, 4)
    await sleep(100)
    expect(await SELECT.from(RateLimits).where`ID like 'few:%'`).toEqual([])
  })

  it('go on where the database cannot be written, and are told afterwards', async () => {
    const count = shared('full', 100)
    let isFull = true
    cds.db.before(['INSERT', 'UPDATE'], 'restock.RateLimits', () => {
      if (isFull) throw new Error('database or disk is full')
    })
    const log = jest.spyOn(cds.log('limits'), 'warn').mockImplementation(() => {})
    for (let call = 0; call < 60; call++) await count.add('a')
    await sleep(50)
    expect(await SELECT.from(RateLimits).where({ ID: 'full:a' })).toEqual([])
    isFull = false
    log.mockRestore()
    let told: object[] = []
    while (!told.length) {
      await sleep(100)
      await count.add('a')
      told = await SELECT.from(RateLimits).where({ ID: 'full:a' })
    }
    expect(Number((told as { calls: number }[])[0]!.calls)).toBeGreaterThan(60)
  })
})
