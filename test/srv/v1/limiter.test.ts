import { jest } from '@jest/globals'
import { groupOf, Limiter } from '../../../srv/doors/v1/limiter.ts'
import { networkOf } from '../../../srv/base/http/addresses.ts'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

const pass = (ms: number) => jest.advanceTimersByTime(ms)

/** How many of so many calls are let through. */
async function allowed(count: number, take: () => Promise<{ refused: boolean }>) {
  const standings = await Promise.all(Array.from({ length: count }, take))
  return standings.filter(({ refused }) => !refused).length
}

describe('the limiter', () => {
  it('lets exactly the limit through, however many come at once', async () => {
    const limiter = new Limiter()
    expect(await allowed(1000, () => limiter.takeKey('forecasts', 'a', ''))).toBe(600)
    expect(await allowed(50, () => limiter.takeKey('batch', 'a', ''))).toBe(20)
    expect(await allowed(300, () => limiter.takeKey('proposals', 'a', ''))).toBe(120)
    expect(await allowed(300, () => limiter.takeKey('admin', 'a', ''))).toBe(120)
    expect(await allowed(300, () => limiter.takeAddress('::1'))).toBe(120)
  })

  it('counts an IPv6 address by its /64, which one caller has to itself', async () => {
    const limiter = new Limiter()
    let count = 0
    const take = () => limiter.takeAddress(networkOf(`2001:db8:1:2:${(count++).toString(16)}::1`))
    expect(await allowed(300, take)).toBe(120)
    expect((await limiter.takeAddress(networkOf('2001:db8:1:3::1'))).refused).toBe(false)
  })

  it('opens the window with the first call, and anew a minute after it', async () => {
    const limiter = new Limiter()
    const take = () => limiter.takeKey('batch', 'a', '')
    expect(await take()).toMatchObject({ limit: 20, remaining: 19, msToReset: 60_000 })
    pass(40_000)
    expect(await take()).toMatchObject({ remaining: 18, msToReset: 20_000 })
    expect(await allowed(30, take)).toBe(18)
    pass(19_999)
    expect(await take()).toMatchObject({ refused: true, remaining: 0, msToReset: 1 })
    pass(1)
    expect(await take()).toMatchObject({ refused: false, remaining: 19, msToReset: 60_000 })
  })

  it('does not count refused calls, nor lengthen the window for them', async () => {
    const limiter = new Limiter()
    const take = (key: string) => () => limiter.takeKey('batch', key, '')
    await allowed(20, take('a'))
    pass(59_000)
    expect(await allowed(500, take('a'))).toBe(0)
    expect(await allowed(40, take('b'))).toBe(20)
    pass(1000)
    expect(await allowed(40, take('a'))).toBe(20)
  })

  it('lets the keys of an account have three times the limit together', async () => {
    const limiter = new Limiter()
    const take = (key: string) => () => limiter.takeKey('batch', key, '')
    for (const key of ['a', 'b', 'c']) expect(await allowed(25, take(key))).toBe(20)
    expect(await allowed(25, take('d'))).toBe(0)
    expect(await limiter.takeKey('batch', 'd', 'other account')).toMatchObject({ remaining: 19 })
  })

  it('shows the tighter of the two windows', async () => {
    const limiter = new Limiter()
    const take = (key: string) => limiter.takeKey('batch', key, '')
    await allowed(20, () => take('a'))
    pass(30_000)
    await allowed(20, () => take('b'))
    await allowed(15, () => take('c'))
    expect(await take('d')).toEqual({ limit: 20, remaining: 4, msToReset: 30_000, refused: false })
    expect(await take('c')).toEqual({ limit: 20, remaining: 3, msToReset: 30_000, refused: false })
    await allowed(3, () => take('d'))
    expect(await take('b')).toMatchObject({ refused: true, msToReset: 60_000 })
    expect(await take('d')).toMatchObject({ refused: true, msToReset: 30_000 })
    pass(30_000)
    expect(await take('d')).toMatchObject({ refused: false })
  })

  it('keeps groups, keys and addresses apart', async () => {
    const limiter = new Limiter()
    await allowed(200, () => limiter.takeAddress('a'))
    expect(await limiter.takeAddress('b')).toMatchObject({ remaining: 119 })
    expect(await limiter.takeKey('admin', 'a', '')).toMatchObject({ remaining: 119 })
    await allowed(20, () => limiter.takeKey('batch', 'a', ''))
    expect(await limiter.takeKey('forecasts', 'a', '')).toMatchObject({ remaining: 599 })
  })
})

it.each([
  ['/forecasts', 'forecasts'],
  ['/forecasts/batch', 'batch'],
  ['/proposals', 'proposals'],
  ['/proposals/prop_1/approve', 'proposals'],
  ['/proposalsx', 'admin'],
  ['/keys', 'admin'],
  ['/nowhere', 'admin'],
])('%s belongs to %s', (path, group) => {
  expect(groupOf(path)).toBe(group)
})
