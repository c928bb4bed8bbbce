import { RateLimiterMemory, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible'
import { ACCOUNT_FACTOR, ADDRESS_LIMIT, type Group, LIMITS, WINDOW_SECONDS } from './groups.ts'

/** Where a caller stands in the tighter of its windows. */
export interface Standing {
  /** The key's own limit, or the address's. */
  limit: number
  remaining: number
  /** Until the window is whole again. */
  msToReset: number
  refused: boolean
}

/** Counts calls in fixed windows. In memory it is exact for one instance; a shared store makes it so for several. */
export type Counter = Pick<RateLimiterAbstract, 'consume' | 'reward' | 'get'>

export type NewCounter = (name: string, points: number) => Counter

export const inMemory: NewCounter = (name, points) =>
  new RateLimiterMemory({ keyPrefix: name, points, duration: WINDOW_SECONDS })

const standing = (limit: number, res: RateLimiterRes, refused: boolean): Standing => ({
  limit,
  remaining: res.remainingPoints,
  msToReset: res.msBeforeNext,
  refused,
})

/** Counts a call. A refused one neither counts nor lengthens the window. */
async function take(counter: Counter, who: string, limit: number): Promise<Standing> {
  try {
    return standing(limit, await counter.consume(who), false)
  } catch (res) {
    if (!(res instanceof RateLimiterRes)) throw res
    await counter.reward(who)
    return standing(limit, res, true)
  }
}

const tighter = (a: Standing, b: Standing) =>
  a.remaining === b.remaining ? a.msToReset >= b.msToReset : a.remaining < b.remaining

export class Limiter {
  private readonly keys: Record<Group, Counter>
  private readonly accounts: Record<Group, Counter>
  private readonly addresses: Counter

  constructor(newCounter: NewCounter = inMemory) {
    const counters = (kind: string, factor: number) =>
      Object.fromEntries(
        Object.entries(LIMITS).map(([group, limit]) => [
          group,
          newCounter(`${kind}:${group}`, limit * factor),
        ]),
      ) as Record<Group, Counter>
    this.keys = counters('key', 1)
    this.accounts = counters('account', ACCOUNT_FACTOR)
    this.addresses = newCounter('address', ADDRESS_LIMIT)
  }

  /** Counts a call without a valid key. */
  takeAddress(address: string): Promise<Standing> {
    return take(this.addresses, address, ADDRESS_LIMIT)
  }

  /** Counts a call for its key and for the account of the key; what one refuses, the other does not count. */
  async takeKey(group: Group, key: string, account: string): Promise<Standing> {
    const limit = LIMITS[group]
    const own = await take(this.keys[group], key, limit)
    if (own.refused) return this.laterOf(own, group, account)
    const shared = await take(this.accounts[group], account, limit)
    if (shared.refused) await this.keys[group].reward(key)
    return shared.refused || !tighter(own, shared) ? shared : own
  }

  /** A caller that waits must get through: if the account is used up as well, its window counts too. */
  private async laterOf(own: Standing, group: Group, account: string): Promise<Standing> {
    const res = await this.accounts[group].get(account)
    if (!res || res.remainingPoints > 0) return own
    return { ...own, msToReset: Math.max(own.msToReset, res.msBeforeNext) }
  }
}
