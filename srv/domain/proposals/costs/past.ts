// The ratio of costs that a company acted by in the past year, from its stock and its orders.
import { byText, toDate, toEpochDay, type EpochDay } from '../../../../engine/index.ts'
import {
  type ActedRatio,
  actedRatio,
  LEAST_STOCKOUTS,
  type PastStock,
} from '../../../../engine/proposal/index.ts'
import { loadHistories } from '../../../base/database/demand/histories.ts'
import { loadStockReads } from '../../../base/database/demand/stock-history.ts'
import { PairPlanning, readAs, Receipts } from '../../../base/database/entities.ts'
import { inChunks, oneOf } from '../../../base/database/rows.ts'
import { runDetached } from '../../../base/cap/context.ts'
import { readLocalDays, today } from '../../../base/time/days.ts'
import type { Predicate } from '../../authority/index.ts'
import { keptUntilSync } from '../explain/forecast-bias.ts'
import { choosePairs, type ChosenPair, classesOf } from '../explain/simulation-curve.ts'
import { rowsOfReader } from '../readers.ts'
import { pairKey } from '../to-proposal.ts'

const WINDOW_DAYS = 365
/** The stock of a pair must be known for so long, and for this share of the days since it is. */
const LEAST_DAYS = 180
const LEAST_SHARE = 0.8
/** Who orders a pair less often decides little about it. */
const LEAST_RECEIPTS = 3
const MOST_GROUPS = 40
const CHUNK = 500

/** Why the ratio cannot be told. */
type NoRatio = 'no_stock_history' | 'no_orders' | 'few_stockouts'

export interface PastRatio {
  /** Of the class or group; empty for all pairs, and for pairs without a group. */
  code: string
  /** The pairs that were looked at. */
  pairs: number
  ratio: ActedRatio | null
  reason: NoRatio | null
}

export interface PastCosts {
  /** The days that were looked at, both included. */
  from: string
  to: string
  all: PastRatio
  groups: PastRatio[]
  /** What must be there for an answer. */
  least: { days: number; receipts: number; stockouts: number }
}

/** By which ratio of costs stock was kept; nothing is set by it. */
export async function estimateCosts(by: 'abc' | 'group'): Promise<PastCosts> {
  const visible = await rowsOfReader()
  const pairs = await runDetached('past costs', () =>
    keptUntilSync('past stock', visible, () => readPast(visible)),
  )
  const to = toEpochDay(today()) - 1
  return {
    ...{ from: toDate(to - WINDOW_DAYS + 1), to: toDate(to) },
    all: ratioOf('', pairs),
    groups: grouped(pairs, by).map(([code, of]) => ratioOf(code, of)),
    least: { days: LEAST_DAYS, receipts: LEAST_RECEIPTS, stockouts: LEAST_STOCKOUTS },
  }
}

interface PastPair {
  series: number
  skuGroup: string | null
  abcClass: string | null
  /** Null where the days with stock are not known. */
  stock: PastStock | null
  receipts: number
  weight: number
}

function ratioOf(code: string, pairs: readonly PastPair[]): PastRatio {
  const known = pairs.filter(({ stock }) => stock)
  const ordered = known.filter(({ receipts }) => receipts >= LEAST_RECEIPTS)
  const ratio = actedRatio(ordered.map(({ stock }) => stock!))
  const reason = !known.length
    ? 'no_stock_history'
    : !ordered.length
      ? 'no_orders'
      : 'few_stockouts'
  const weight = pairs.reduce((sum, pair) => sum + pair.weight, 0)
  return { code, pairs: Math.round(weight), ratio, reason: ratio ? null : reason }
}

function grouped(pairs: readonly PastPair[], by: 'abc' | 'group'): [string, PastPair[]][] {
  if (by === 'abc') return classesOf(pairs)
  const groups = [...Map.groupBy(pairs, ({ skuGroup }) => skuGroup ?? '')]
  return groups
    .sort(([a, some], [b, others]) => others.length - some.length || byText(a, b))
    .slice(0, MOST_GROUPS)
}

async function readPast(visible: Predicate | null): Promise<PastPair[]> {
  const chosen = await choosePairs({}, visible)
  const found: PastPair[] = []
  for (const [source, pairs] of Map.groupBy(chosen, (pair) => pair.source)) {
    const asOf = (await readLocalDays(source)).first
    const reads = await loadStockReads(source)
    const receipts = await countReceipts(source, toDate(toEpochDay(asOf) - WINDOW_DAYS))
    const bySeries = new Map(pairs.map((pair) => [pair.series, pair]))
    for (const chunk of inChunks(
      [...bySeries.keys()].sort((a, b) => a - b),
      CHUNK,
    )) {
      const options = { historyDays: WINDOW_DAYS, returns: 'booked', reads } as const
      const histories = await loadHistories(chunk, asOf, options)
      for (const row of await readRows(chunk)) {
        const pair = bySeries.get(Number(row.ID))
        const history = histories.get(Number(row.ID))
        if (!pair || !history) continue
        const demand = history.quantities.reduce((sum, units) => sum + units, 0)
        const { days, stock } = history
        found.push({
          ...{ series: pair.series, skuGroup: row.skuGroup, abcClass: row.abcClass },
          weight: pair.weight,
          stock: stock
            ? pastStock(pair, { demand, first: days[0]!, end: toEpochDay(asOf), ...stock })
            : null,
          receipts: receipts.get(pairKey(row)) ?? 0,
        })
      }
    }
  }
  return found
}

const readRows = (chunk: number[]) =>
  readAs<Row>(
    SELECT.from(PairPlanning)
      .columns('ID', 'sku', 'location', 'skuGroup', 'abcClass')
      .where({ ID: oneOf(chunk) }),
  )

interface Row {
  ID: number
  sku: string
  location: string
  skuGroup: string | null
  abcClass: string | null
}

async function countReceipts(source: number, from: string): Promise<Map<string, number>> {
  const rows = await readAs<{ sku: string; location: string; count: number | string }>(
    SELECT.from(Receipts)
      .columns('sku', 'location', 'count(*) as count')
      .where({ source_ID: source, receivedOn: { '>=': from }, quantity: { '>': 0 } })
      .groupBy('sku', 'location'),
  )
  return new Map(rows.map((row) => [pairKey(row), Number(row.count)]))
}

interface Seen {
  demand: number
  first: EpochDay
  /** The day after the last. */
  end: EpochDay
  /** Days on which the stock is known, ascending; the first and last day of each stockout, one after the other. */
  seen: ArrayLike<number>
  empty: ArrayLike<number>
}

/** Null where the days with stock are not known for long enough, or with too many gaps. */
function pastStock(
  { weight }: Pick<ChosenPair, 'weight'>,
  { demand, first, end, seen, empty }: Seen,
): PastStock | null {
  const from = Math.max(first, end - WINDOW_DAYS)
  const days = Array.from(seen).filter((day) => day >= from && day < end)
  const start = days[0]
  if (start === undefined) return null
  const span = end - start
  if (days.length < LEAST_DAYS || days.length < LEAST_SHARE * span) return null
  const spells = joined(empty).filter(([begin, last]) => last >= start && begin < end)
  const isEmpty = (day: number) => spells.some(([begin, last]) => day >= begin && day <= last)
  const full = days.filter((day) => !isEmpty(day)).length
  const daysInStock = (full / days.length) * span
  const daily = Math.max(0, demand) / Math.max(1, daysInStock)
  // A stockout that began before the window was decided before it.
  const begun = spells.filter(([begin]) => begin > start)
  const shortages = begun.reduce((sum, [begin, last]) => {
    const length = Math.min(last, end - 1) - begin + 1
    return sum + 1 - Math.exp(-daily * length)
  }, 0)
  return { weight, daysInStock, stockouts: begun.length, shortages }
}

/** Stockouts that follow each other without a day between are one. */
function joined(empty: ArrayLike<number>): [EpochDay, EpochDay][] {
  const spells: [EpochDay, EpochDay][] = []
  for (let at = 0; at + 1 < empty.length; at += 2) {
    const last = spells.at(-1)
    if (last && empty[at]! <= last[1] + 1) last[1] = Math.max(last[1], empty[at + 1]!)
    else spells.push([empty[at]!, empty[at + 1]!])
  }
  return spells
}
