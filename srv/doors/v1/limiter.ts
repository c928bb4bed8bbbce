import { LRUCache } from 'lru-cache'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { runDetached } from '../../base/cap/context.ts'
import { isDiskFull } from '../../base/database/database-faults.ts'
import { RateLimits } from '../../base/database/entities.ts'
import {
  CALLERS,
  findWindow,
  idOf,
  newWindow,
  openWindow,
  SharedCount,
  type Window,
  WINDOW_SECONDS,
} from '../../base/http/rates.ts'
import { iso } from '../../base/time/days.ts'

/** Calls that a key may make in a window, by group of paths. */
const LIMITS = {
  forecasts: 600,
  batch: 20,
  decisions: 20,
  proposals: 120,
  /** Messages to the agent's door; the calls of their tools count in their own groups besides. */
  agent: 600,
  admin: 120,
} as const

type Group = keyof typeof LIMITS

/** Calls without a valid key that an address may make in a window. */
const ADDRESS_LIMIT = 120

/** The keys of an account together may make this many times a group's limit. */
const ACCOUNT_FACTOR = 3

/** The group of a path below /v1. */
export function groupOf(path: string): Group {
  if (path === '/forecasts') return 'forecasts'
  if (path === '/forecasts/batch') return 'batch'
  if (path === '/proposals/decisions') return 'decisions'
  if (OF_PROPOSALS.some((of) => path === of || path.startsWith(`${of}/`))) return 'proposals'
  return 'admin'
}

const OF_PROPOSALS = ['/proposals', '/handovers', '/exceptions']

/** The state of the tighter one of a caller's windows. */
export interface Standing {
  /** The key's own limit, or the address's. */
  limit: number
  remaining: number
  /** Until the window ends. */
  msToReset: number
  refused: boolean
}

const standing = (limit: number, { remaining, endsAt, refused }: Count): Standing => ({
  ...{ limit, remaining, refused },
  msToReset: Math.max(0, endsAt - Date.now()),
})

const tighter = (a: Count, b: Count) =>
  a.remaining === b.remaining ? a.endsAt >= b.endsAt : a.remaining < b.remaining

/** Calls counted for an address are never given back. */
type AddressCounter = Pick<Counter, 'take'>

export class Limiter {
  private readonly keys: Record<Group, Counter>
  private readonly accounts: Record<Group, Counter>
  private readonly addresses: AddressCounter

  constructor(
    newCounter: NewCounter = inMemory,
    newAddressCounter: (...[name, points]: Parameters<NewCounter>) => AddressCounter = newCounter,
  ) {
    const counters = (kind: string, factor: number) =>
      Object.fromEntries(
        Object.entries(LIMITS).map(([group, limit]) => [
          group,
          newCounter(`${kind}:${group}`, limit * factor),
        ]),
      ) as Record<Group, Counter>
    this.keys = counters('key', 1)
    this.accounts = counters('account', ACCOUNT_FACTOR)
    this.addresses = newAddressCounter('address', ADDRESS_LIMIT)
  }

  /** Counts a call without a valid key; `srv/base/http/addresses.ts` says what an address counts as. */
  async takeAddress(address: string): Promise<Standing> {
    return standing(ADDRESS_LIMIT, await this.addresses.take(address))
  }

  /** Counts a call for its key and for the account of the key; what one refuses, the other does not count. */
  async takeKey(group: Group, key: string, account: string): Promise<Standing> {
    const limit = LIMITS[group]
    const own = await this.keys[group].take(key)
    if (own.refused) return standing(limit, await this.laterOf(own, group, account))
    const shared = await this.accounts[group].take(account)
    if (shared.refused) await this.keys[group].giveBack(key, own)
    return standing(limit, shared.refused || !tighter(own, shared) ? shared : own)
  }

  /** A caller that waits must succeed afterwards: if the account's limit is used up too, its window counts. */
  private async laterOf(own: Count, group: Group, account: string): Promise<Count> {
    const shared = await this.accounts[group].look(account)
    if (!shared || shared.remaining > 0) return own
    return { ...own, endsAt: Math.max(own.endsAt, shared.endsAt) }
  }
}

// Where calls are counted: in memory, or in the database that all instances share.

/** The count of a caller in a window. */
interface Count {
  remaining: number
  /** Epoch milliseconds at which the window ends. */
  endsAt: number
  refused: boolean
}

/** Counts calls in fixed windows that open with a first call; what is refused is not counted. */
export interface Counter {
  take(who: string): Promise<Count>
  /** Uncounts a call that was counted in this window. */
  giveBack(who: string, counted: Count): Promise<void>
  /** The count of a caller, without counting a call; null if no window is open. */
  look(who: string): Promise<Count | null>
}

/** @param points calls in a window */
export type NewCounter = (name: string, points: number) => Counter

const toCount = (res: RateLimiterRes, refused: boolean): Count => ({
  remaining: Math.max(0, res.remainingPoints),
  endsAt: Date.now() + res.msBeforeNext,
  refused,
})

/** Exact for one instance. */
export const inMemory: NewCounter = (name, points) => {
  const limiter = new RateLimiterMemory({ keyPrefix: name, points, duration: WINDOW_SECONDS })
  return {
    async take(who) {
      // Counts as `consume` does, which would throw beyond the limit.
      const res = await limiter.penalty(who)
      const refused = res.consumedPoints > points
      if (refused) await limiter.reward(who)
      return toCount(res, refused)
    },
    async giveBack(who) {
      await limiter.reward(who)
    },
    async look(who) {
      const res = await limiter.get(who)
      return res && toCount(res, false)
    },
  }
}

// Windows that all instances share. Each step is one conditional statement that commits by itself. Of a caller who calls
// often an instance takes several calls at once and hands them out from memory, so that not each of them is a statement.

/** Calls that an instance has taken and not handed out. */
interface Taken {
  calls: number
  /** How many they were. */
  size: number
  /** Epoch milliseconds at which the window ends. */
  endsAt: number
  /** What was left to all instances when they were taken. */
  left: number
}

/** What is not handed out by then goes back to the others. */
const KEPT_MS = 1_000
/** Of a limit, and of what is left of it: so much is taken at once at most, so that the last calls go to whoever asks. */
const MOST = { ofLimit: 1 / 20, ofLeft: 1 / 10 }

/**
 * Never lets more through than the limit, on any number of instances whose clocks agree; and no less, but for calls that
 * another instance has taken within the last second.
 */
export const inDatabase: NewCounter = (name, points): Counter => {
  const taken = new LRUCache<string, Taken>(CALLERS)
  const asking = new Map<string, Promise<Count | null>>()

  const handOut = (who: string): Count | null => {
    const own = taken.get(who)
    if (!own?.calls || own.endsAt <= Date.now()) return null
    own.calls--
    return { remaining: own.left + own.calls, endsAt: own.endsAt, refused: false }
  }

  /** Whoever has used up what was taken gets twice as much. */
  const sizeOfNext = (own: Taken | undefined) => {
    if (!own || own.endsAt <= Date.now()) return 1
    const most = Math.min(points * MOST.ofLimit, own.left * MOST.ofLeft)
    return Math.max(1, Math.floor(Math.min(2 * own.size, most)))
  }

  /** @returns the refusal; null where calls were taken */
  const ask = async (who: string): Promise<Count | null> => {
    const { calls, endsAt, size } = await takeCalls(
      idOf(name, who),
      sizeOfNext(taken.get(who)),
      points,
    )
    const end = Date.parse(endsAt)
    if (!size) return { remaining: 0, endsAt: end, refused: true }
    const own = { calls: size, size, endsAt: end, left: points - calls }
    taken.set(who, own)
    if (size > 1) setTimeout(() => giveRestBack(who, own), KEPT_MS).unref()
    return null
  }

  const giveRestBack = (who: string, own: Taken) => {
    const rest = own.calls
    if (!rest) return
    own.calls = own.size = 0
    // Where it fails they are lost to this window.
    runDetached('limits', () => uncount(idOf(name, who), own.endsAt, rest)).catch(() => {})
  }

  return {
    async take(who) {
      for (;;) {
        const own = handOut(who)
        if (own) return own
        let answer = asking.get(who)
        if (!answer) {
          answer = ask(who).finally(() => asking.delete(who))
          asking.set(who, answer)
        }
        const refusal = await answer
        if (refusal) return refusal
      }
    },
    async giveBack(who, { endsAt }) {
      const own = taken.get(who)
      if (own?.calls && own.endsAt === endsAt) own.calls++
      else await uncount(idOf(name, who), endsAt, 1)
    },
    async look(who) {
      const row = await findWindow(idOf(name, who))
      const endsAt = row ? Date.parse(row.endsAt) : 0
      if (!row || endsAt <= Date.now()) return null
      const own = taken.get(who)
      const kept = own?.endsAt === endsAt ? own.calls : 0
      return { remaining: Math.max(0, points - row.calls) + kept, endsAt, refused: false }
    },
  }
}

/** Takes calls of a window, one where so many are not left. @returns how many, and where the window stands then */
async function takeCalls(
  ID: string,
  wish: number,
  points: number,
): Promise<Window & { size: number }> {
  for (let size = wish; ;) {
    const now = Date.now()
    const counted: unknown = await UPDATE.entity(RateLimits)
      .set({ calls: { '+=': size } })
      .where({ ID, endsAt: { '>': iso(now) }, calls: { '<=': points - size } })
    const row = await findWindow(ID)
    if (row && counted === 1) return { ...row, size }
    if (row && Date.parse(row.endsAt) > now) {
      if (row.calls >= points) return { ...row, size: 0 }
      size = 1
      continue
    }
    const opened = newWindow(now, size)
    if (await openWindow(ID, row, opened)) return { ...opened, size }
  }
}

async function uncount(ID: string, endsAt: number, calls: number) {
  await UPDATE.entity(RateLimits)
    .set({ calls: { '-=': calls } })
    .where({ ID, endsAt: iso(endsAt), calls: { '>=': calls } })
}

/** Windows that all instances share; while the disk is full, and nothing else, each instance counts by itself. */
export const inDatabaseOrMemory: NewCounter = (name, points) => {
  const [shared, own] = [inDatabase(name, points), inMemory(name, points)]
  const or = <T>(asked: Promise<T>, instead: () => Promise<T>) =>
    asked.catch((error: unknown) => {
      if (!isDiskFull(error)) throw error
      return instead()
    })
  return {
    take: (who) => or(shared.take(who), () => own.take(who)),
    giveBack: (who, counted) => or(shared.giveBack(who, counted), () => own.giveBack(who, counted)),
    look: (who) => or(shared.look(who), () => own.look(who)),
  }
}

// Windows that all instances share, told in portions: what anybody may send costs no statement of its own.

/** Exact for one instance; each further one may let a tenth more through. */
export const inSteps = (name: string, points: number): Pick<Counter, 'take'> => {
  const count = new SharedCount(name, points, true)
  return {
    async take(who) {
      const res = await count.add(who)
      const refused = res.consumedPoints > points
      if (refused) await count.add(who, -1)
      const endsAt = Date.now() + res.msBeforeNext
      return { remaining: Math.max(0, res.remainingPoints), endsAt, refused }
    },
  }
}
