import { type Count, type Counter, inMemory, type NewCounter } from './counters.ts'

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
