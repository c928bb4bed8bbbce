// Demand by pair and day. It is computed per pair, independently of the code that creates documents per day.
import { postingDay } from '../services/documents.ts'
import { issueType } from '../services/item-facts.ts'
import { ISSUE_LINES, RETURN_CANCEL_LAG } from '../world/day-ledger.ts'
import { dayText, yearOf } from '../world/days.ts'
import { mix } from '../world/hash.ts'
import { BLOCK_PAIRS } from '../world/pairs.ts'
import { CANCELS } from '../world/movement-types.ts'
import type { Day } from '../world/days.ts'
import type { World } from '../world/world.ts'

export type DemandClass = 'sale' | 'return' | 'consumption' | 'transfer'

export interface DemandOptions {
  /** Default `movements`; `deliveries` counts posted deliveries, which changes do not affect. */
  basis?: 'movements' | 'deliveries'
  /** Movements that are demand. Default all; scrap never is. */
  classes?: DemandClass[]
}

export interface DemandDayTruth {
  date: string
  quantity: number
}

const CLASS: Record<string, DemandClass> = {
  '601': 'sale',
  '251': 'sale',
  '201': 'consumption',
  '221': 'consumption',
  '261': 'consumption',
  '351': 'transfer',
  '541': 'transfer',
  '631': 'transfer',
  '641': 'transfer',
  '651': 'return',
  '653': 'return',
}
const ALL: DemandClass[] = ['sale', 'return', 'consumption', 'transfer']

type Add = (day: Day, type: string, milli: number) => void

/** @returns a function that computes the demand of a pair */
export function demandTruth(world: World, options: DemandOptions) {
  const { basis = 'movements', classes = ALL } = options
  const rare =
    basis === 'movements' ? collectRareMovements(world) : new Map<number, Parameters<Add>[]>()
  const added =
    basis === 'movements' ? collectAddedMovements(world) : new Map<string, Parameters<Add>[]>()
  return (sku: string, location: string): DemandDayTruth[] => {
    const byDay = new Map<Day, number>()
    const add: Add = (day, type, milli) => {
      const of = CLASS[type]
      if (!of || !classes.includes(of) || (basis === 'deliveries' && type !== '601')) return
      byDay.set(day, (byDay.get(day) ?? 0) + (of === 'return' ? -milli : milli))
    }
    const pair = world.pairs.find(sku, location)
    if (pair !== undefined) {
      addIssues(world, pair, basis === 'movements', add)
      for (const movement of rare.get(pair) ?? []) add(...movement)
    }
    for (const movement of added.get(`${sku}\n${location}`) ?? []) add(...movement)
    return [...byDay]
      .filter(([, milli]) => milli !== 0)
      .sort(([a], [b]) => a - b)
      .map(([day, milli]) => ({ date: dayText(day), quantity: milli / 1000 }))
  }
}

function addIssues(world: World, pair: number, withChanges: boolean, add: Add): void {
  const { demand, ledgers, clock, start } = world
  const today = clock.today()
  for (let day = start; day < today; day++) {
    for (const line of demand.linesOf(pair, day)) {
      const doc = Math.floor(line / ISSUE_LINES)
      const lag = ledgers.cancelLag(day, doc)
      if (lag !== null && day + lag < today) continue
      if (withChanges && isReversed(world, day, doc, (line % ISSUE_LINES) + 1)) continue
      const milli = demand.quantity(demand.day(day), day, line, pair)
      add(postingDay(world, day, doc), issueType(day, doc), milli)
    }
  }
}

/** Whether a change has reversed a line of a document. */
function isReversed(world: World, day: Day, doc: number, line: number): boolean {
  const { cancelled } = world.added
  if (cancelled.size === 0) return false
  return cancelled.has(`${yearOf(day)}/${world.book.number('issuing', day, doc)}/${line}`)
}

/** Returns and transfers between plants, by pair. */
function collectRareMovements(world: World): Map<number, Parameters<Add>[]> {
  const { ledgers, demand, pairs, seed, start } = world
  const today = world.clock.today()
  const byPair = new Map<number, Parameters<Add>[]>()
  const put = (pair: number, ...movement: Parameters<Add>) => {
    const known = byPair.get(pair)
    if (known) known.push(movement)
    else byPair.set(pair, [movement])
  }
  for (let day = start; day < today; day++) {
    const issued = ledgers.issues(day)
    const returns = ledgers.returns(day)
    for (let i = 0; i < returns; i++) {
      const cancelled = ledgers.isReturnCancelled(day, i) && day + RETURN_CANCEL_LAG < today
      if (cancelled || isReversed(world, day, issued + i, 1)) continue
      const h = mix(seed, day, i, 71)
      const pair = pairs.byRank[h % Math.max(1, demand.fast)]!
      put(pair, day, h & 1 ? '651' : '653', demand.meanMilli(pair) * (1 + ((h >>> 20) % 3)))
    }
    for (let i = 0; i < ledgers.transfers(day); i++) {
      const h = mix(seed, day, i, 72)
      if ((h >>> 16) % 3 === 0 || isReversed(world, day, issued + returns + i, 1)) continue
      const pair = (h % (pairs.count / BLOCK_PAIRS)) * BLOCK_PAIRS
      put(pair, day, '641', demand.meanMilli(pair))
    }
  }
  return byPair
}

/** Own stock that is sent to subcontractors (O), or into consignment at customers (W). */
const SENT = new Set(['541O', '631W'])
const TAKES_BACK = new Set(Object.values(CANCELS))

/** Movements posted by changes and not reversed, by `sku\nlocation`. */
function collectAddedMovements(world: World): Map<string, Parameters<Add>[]> {
  const byPair = new Map<string, Parameters<Add>[]>()
  for (const { year, number, posting, items } of world.added.all()) {
    for (const { sku, plant, line, type, milli, special } of items) {
      if (TAKES_BACK.has(type) || (special && !SENT.has(type + special))) continue
      if (world.added.cancelled.has(`${year}/${number}/${line}`)) continue
      const key = `${sku}\n${plant}`
      byPair.set(key, [...(byPair.get(key) ?? []), [posting, type, milli]])
    }
  }
  return byPair
}
