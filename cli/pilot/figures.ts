// The figures of a pilot's report: sums over pairs and blocks of four weeks, and how sure they are.
import { abcClasses, byNaturalKey, type Days, toDate } from '../../engine/index.ts'
import { type Band, bandsOf, BLOCK_DAYS, MEASURES, Tally } from '../../engine/replay/index.ts'
import { orderOf, type Past, type PastPair } from './past.ts'
import type { Pilot } from './replay.ts'
import { type Reason, REASONS, type ReplayedPair } from './replay-job.ts'
import type { Note } from './texts.ts'

/** What either side comes to. Amounts are of the whole time that is replayed, in the currency of the unit costs. */
export const FIGURES = [
  ...(['stockValue', 'fillRate', 'stockoutDays', 'stockouts', 'lines', 'orders'] as const),
  ...(['carrying', 'shortage', 'ordering', 'cost'] as const),
] as const
export type Figure = (typeof FIGURES)[number]

/** A figure of both sides and what lies between them, restock less own. */
export interface Compared {
  own: Band
  restock: Band
  difference: Band
}
export type Comparison = Record<Figure, Compared>

export interface GroupOf {
  by: 'group' | 'supplier' | 'location' | 'abc'
  code: string
  pairs: number
  /** What the proposals would have saved, below 0 what they would have cost more. */
  saving: Band
  stockValue: { own: number; restock: number }
  fillRate: { own: number | null; restock: number | null }
}

/** Sums of one side of a pair. */
export interface SideOfPair extends Record<(typeof MEASURES)[number], number> {
  /** Units on hand when the last day was over, and on order. */
  endOnHand: number
  endOnOrder: number
  /** Amounts. */
  stockValue: number
  carrying: number
  shortage: number
  ordering: number
  cost: number
}

export interface PairOf {
  sku: string
  location: string
  group: string | null
  supplier: string | null
  abc: string
  unitCost: number
  carryingRate: number
  stockoutRate: number
  orderLineCost: number
  orderCost: number
  own: SideOfPair
  restock: SideOfPair
  saving: number
}

export interface Report {
  from: string
  to: string
  days: Days
  currency: string | null
  /** `saves`, `nothing_to_gain`, `costs_more`. */
  verdict: Verdict
  /** Of `cost`, own less restock, over the days that are replayed; and per year, and as a share of the own cost. */
  saving: Band
  savingPerYear: Band
  savingShare: Band
  all: Comparison
  end: { own: number; restock: number }
  pairsOf: { known: number; replayed: number; left: Record<Reason, number>; otherCurrency: number }
  /** Days of pairs that count for neither side, and units of demand that nobody could buy and that are estimated. */
  gapDays: Days
  unknownDays: Days
  estimatedShare: number
  namedPairs: number
  /** Pairs that were first forecast from less than a year. */
  youngPairs: number
  unexplainedShare: number
  /** Orders of Restock whose supplier's minimum could not be reached. */
  ordersBelowMinimum: number
  /** By block of four weeks: stock value and fill rate of both sides. */
  blocks: { from: string; own: Point; restock: Point }[]
  groups: GroupOf[]
  gainers: PairOf[]
  losers: PairOf[]
  pairs: PairOf[]
  notes: Note[]
}

interface Point {
  stockValue: number
  fillRate: number | null
}

export type Verdict = 'saves' | 'nothing_to_gain' | 'costs_more'

/** Sums of a side by pair and block. */
const SUMS = [
  'days',
  'valueDays',
  'wanted',
  'short',
  'stockoutDays',
  'stockouts',
  'lines',
  'orders',
  'carrying',
  'shortage',
  'ordering',
] as const
type Sum = (typeof SUMS)[number]
const WIDTH = SUMS.length
const MOST = 20
const MOST_GROUPS = 30

export function reportOf(past: Past, { window, results }: Pilot): Report {
  const currency = commonCurrency(past.pairs, results)
  const replayed: ReplayedPair[] = []
  const left = Object.fromEntries(REASONS.map((reason) => [reason, 0])) as Record<Reason, number>
  let otherCurrency = 0
  for (const result of results) {
    if ('reason' in result) left[result.reason]++
    else if (past.pairs[result.pair]!.currency !== currency) otherCurrency++
    else replayed.push(result)
  }
  shareOrders(past, replayed)
  const blocks = replayed.length ? new Tally(0, replayed[0]!.own).blocks : 0
  const values = new Float64Array(replayed.length * blocks * 2 * WIDTH)
  replayed.forEach((result, at) => fill(values, at, blocks, past, result))
  const drawn = (of: number[]) => ({
    ...{ pairs: of.length, blocks, width: 2 * WIDTH },
    values: of.length === replayed.length ? values : pick(values, of, blocks * 2 * WIDTH),
  })
  const everyone = replayed.map((_, at) => at)
  const pairs = pairsOf(past, replayed)
  const bands = bandsOf(drawn(everyone), (sums) => figuresOf(sums, replayed.length))
  const all = Object.fromEntries(
    FIGURES.map((figure, at) => [
      figure,
      {
        own: bands[at]!,
        restock: bands[FIGURES.length + at]!,
        difference: bands[2 * FIGURES.length + at]!,
      },
    ]),
  ) as Comparison
  const saving = negated(all.cost.difference)
  const byGain = pairs.toSorted((a, b) => b.saving - a.saving || byNaturalKey(a, b))
  const total = (of: (result: ReplayedPair) => number) =>
    replayed.reduce((sum, each) => sum + of(each), 0)
  const wanted = pairs.reduce((sum, { own }) => sum + own.wanted, 0)
  const value = (side: 'own' | 'restock') =>
    pairs.reduce(
      (sum, pair) => sum + (pair[side].endOnHand + pair[side].endOnOrder) * pair.unitCost,
      0,
    )
  return {
    from: toDate(window.start),
    to: toDate(window.start + window.days - 1),
    days: window.days,
    currency,
    verdict: verdictOf(saving, all.cost.own.value, blocks),
    saving,
    savingPerYear: scaled(saving, 365 / window.days),
    savingShare: bands[3 * FIGURES.length] ?? { value: 0, low: 0, high: 0 },
    all,
    end: { own: value('own'), restock: value('restock') },
    pairsOf: { known: past.pairs.length, replayed: replayed.length, left, otherCurrency },
    gapDays: total(({ gapDays }) => gapDays),
    unknownDays: total(({ unknownDays }) => unknownDays),
    estimatedShare: wanted ? total(({ estimated }) => estimated) / wanted : 0,
    namedPairs: replayed.filter(({ isNamed }) => isNamed).length,
    youngPairs: replayed.filter(({ isYoung }) => isYoung).length,
    unexplainedShare: wanted ? total(({ unexplained }) => unexplained) / wanted : 0,
    ordersBelowMinimum: new Set(
      replayed.flatMap(({ pair, belowMinimum }) =>
        belowMinimum.map((day) => orderAt(past.pairs[pair]!, day)),
      ),
    ).size,
    blocks: Array.from({ length: blocks }, (_, block) =>
      pointsOf(values, replayed.length, blocks, block, window.start),
    ),
    groups: groupsOf(
      pairs,
      (of) => bandsOf(drawn(of), (sums) => [costOf(sums, 0) - costOf(sums, WIDTH)])[0]!,
    ),
    gainers: byGain.filter(({ saving }) => saving > 0).slice(0, MOST),
    losers: byGain
      .filter(({ saving }) => saving < 0)
      .slice(-MOST)
      .reverse(),
    pairs,
    notes: past.notes,
  }
}

/** The currency of most pairs; amounts of others are not added to it. */
function commonCurrency(pairs: PastPair[], results: Pilot['results']): string | null {
  const counts = new Map<string | null, number>()
  for (const result of results) {
    if ('reason' in result) continue
    const { currency } = pairs[result.pair]!
    counts.set(currency, (counts.get(currency) ?? 0) + 1)
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null
}

const orderAt = (pair: PastPair, day: Days) => `${orderOf(pair)} ${day}`

/**
 * Lines that go to a supplier on one day are one order. It is an order of a location, unless the supplier asks something of
 * all locations together. The company's own lines are counted alike, whatever documents they stand in.
 */
function shareOrders({ pairs }: Past, replayed: ReplayedPair[]) {
  const share = (side: 'own' | 'restock', daysOf: (result: ReplayedPair) => Days[]) => {
    const sizes = new Map<string, number>()
    const keysOf = (result: ReplayedPair) =>
      daysOf(result).map((day) => ({ day, key: orderAt(pairs[result.pair]!, day) }))
    for (const result of replayed)
      for (const { key } of keysOf(result)) sizes.set(key, (sizes.get(key) ?? 0) + 1)
    for (const result of replayed) {
      const tally = new Tally(0, result[side])
      for (const { day, key } of keysOf(result)) tally.add(day, 'orders', 1 / sizes.get(key)!)
    }
  }
  share('restock', ({ orders }) => orders)
  share('own', ({ ownOrders }) => ownOrders)
}

function fill(values: Float64Array, at: number, blocks: number, past: Past, result: ReplayedPair) {
  ;[result.own, result.restock].forEach((side, place) => {
    const tally = new Tally(0, side)
    for (let block = 0; block < blocks; block++) {
      const from = (at * blocks + block) * 2 * WIDTH + place * WIDTH
      const sums = amountsOf(past, result.pair, (measure) => tally.of(block, measure))
      SUMS.forEach((name, i) => (values[from + i] = sums[name]))
    }
  })
}

/** What counts by pair and block, at the pair's own costs. */
function amountsOf(
  past: Past,
  at: number,
  of: (measure: (typeof MEASURES)[number]) => number,
): Record<Sum, number> {
  const pair = past.pairs[at]!
  const { carryingRate, stockoutRate } = pair.costs
  const { orderLineCost, orderCost } = orderCostsOf(past, pair)
  const valueDays = pair.unitCost! * of('unitDays')
  return {
    ...{ days: of('days'), valueDays, wanted: of('wanted'), short: of('short') },
    ...{ stockoutDays: of('stockoutDays'), stockouts: of('stockouts') },
    ...{ lines: of('lines'), orders: of('orders') },
    carrying: (valueDays * carryingRate) / 365,
    shortage: pair.unitCost! * stockoutRate * of('short'),
    ordering: orderLineCost * of('lines') + orderCost * of('orders'),
  }
}

/** What orders cost. Without receipts nobody knows how many orders the company made, so that they cost nothing on either side. */
const orderCostsOf = ({ hasReceipts }: Past, { policy, supplierOrder }: PastPair) =>
  hasReceipts
    ? {
        orderLineCost: policy.orderLineCost ?? 0,
        orderCost: supplierOrder?.limits.orderCost ?? 0,
      }
    : { orderLineCost: 0, orderCost: 0 }

const sumAt = (sums: Float64Array, side: number, name: Sum) => sums[side + SUMS.indexOf(name)]!
const costOf = (sums: Float64Array, side: number) =>
  sumAt(sums, side, 'carrying') + sumAt(sums, side, 'shortage') + sumAt(sums, side, 'ordering')

/** Every figure of the own side, of Restock's, and their differences; then the saving as a share of the own cost. */
function figuresOf(sums: Float64Array, pairs: number): number[] {
  const side = (from: number): Record<Figure, number> => {
    const of = (name: Sum) => sumAt(sums, from, name)
    return {
      stockValue: of('days') ? (of('valueDays') / of('days')) * pairs : 0,
      fillRate: of('wanted') ? 1 - of('short') / of('wanted') : 1,
      ...{ stockoutDays: of('stockoutDays'), stockouts: of('stockouts') },
      ...{ lines: of('lines'), orders: of('orders') },
      ...{ carrying: of('carrying'), shortage: of('shortage'), ordering: of('ordering') },
      cost: costOf(sums, from),
    }
  }
  const [own, restock] = [side(0), side(WIDTH)]
  const list = (of: (figure: Figure) => number) => FIGURES.map(of)
  return [
    ...list((figure) => own[figure]),
    ...list((figure) => restock[figure]),
    ...list((figure) => restock[figure] - own[figure]),
    own.cost ? (own.cost - restock.cost) / own.cost : 0,
  ]
}

function pick(values: Float64Array, of: number[], length: number): Float64Array {
  const picked = new Float64Array(of.length * length)
  of.forEach((at, i) => picked.set(values.subarray(at * length, (at + 1) * length), i * length))
  return picked
}

/** A saving smaller than this share of the own cost is none, however sure it is. */
const WORTH_NAMING = 0.01
/** Fewer say nothing of how one differs from the next. */
const FEWEST_BLOCKS = 2

function verdictOf({ value, low, high }: Band, cost: number, blocks: number): Verdict {
  if (blocks < FEWEST_BLOCKS) return 'nothing_to_gain'
  if (low > 0 && value > WORTH_NAMING * cost) return 'saves'
  return high < 0 && -value > WORTH_NAMING * cost ? 'costs_more' : 'nothing_to_gain'
}

export const negated = ({ value, low, high }: Band): Band => ({
  value: -value,
  low: -high,
  high: -low,
})
const scaled = ({ value, low, high }: Band, by: number): Band => ({
  value: value * by,
  low: low * by,
  high: high * by,
})

function pairsOf(past: Past, replayed: ReplayedPair[]): PairOf[] {
  const rows = replayed.map((result): PairOf => {
    const pair = past.pairs[result.pair]!
    const side = (values: Float64Array, end: ReplayedPair['ownEnd']): SideOfPair => {
      const tally = new Tally(0, values)
      const measures = Object.fromEntries(
        MEASURES.map((name) => [name, tally.total(name)]),
      ) as Record<(typeof MEASURES)[number], number>
      const { valueDays, carrying, shortage, ordering } = amountsOf(
        past,
        result.pair,
        (name) => measures[name],
      )
      return {
        ...measures,
        ...{ endOnHand: end.onHand, endOnOrder: end.onOrder },
        stockValue: measures.days ? valueDays / measures.days : 0,
        ...{ carrying, shortage, ordering, cost: carrying + shortage + ordering },
      }
    }
    const [own, restock] = [
      side(result.own, result.ownEnd),
      side(result.restock, result.restockEnd),
    ]
    return {
      ...{
        sku: pair.sku,
        location: pair.location,
        group: pair.group,
        supplier: pair.planning.supplier,
      },
      unitCost: pair.unitCost!,
      ...pair.costs,
      ...orderCostsOf(past, pair),
      ...{ own, restock, saving: own.cost - restock.cost, abc: '' },
    }
  })
  const worth = (row: PairOf) => row.own.wanted * row.unitCost
  const ranked = rows.toSorted((a, b) => worth(b) - worth(a) || byNaturalKey(a, b))
  abcClasses(ranked.map(worth)).forEach((name, at) => (ranked[at]!.abc = name))
  return rows
}

function groupsOf(pairs: PairOf[], bandOf: (of: number[]) => Band): GroupOf[] {
  return (['abc', 'group', 'supplier', 'location'] as const).flatMap((by) => {
    const members = Map.groupBy(pairs.keys(), (at) => pairs[at]![by] ?? '')
    if (members.size < 2) return []
    return [...members]
      .sort((a, b) =>
        by === 'abc' ? (a[0] < b[0] ? -1 : 1) : b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1),
      )
      .slice(0, MOST_GROUPS)
      .map(([code, of]) => {
        const total = (side: 'own' | 'restock', name: 'stockValue' | 'wanted' | 'short') =>
          of.reduce((sum, at) => sum + pairs[at]![side][name], 0)
        const both = <T>(figure: (side: 'own' | 'restock') => T) => ({
          own: figure('own'),
          restock: figure('restock'),
        })
        return {
          ...{ by, code, pairs: of.length, saving: bandOf(of) },
          stockValue: both((side) => total(side, 'stockValue')),
          fillRate: both((side) => rate(total(side, 'short'), total(side, 'wanted'))),
        }
      })
  })
}

const rate = (short: number, wanted: number) => (wanted ? 1 - short / wanted : null)

function pointsOf(
  values: Float64Array,
  pairs: number,
  blocks: number,
  block: number,
  start: number,
) {
  const sums = new Float64Array(2 * WIDTH)
  for (let pair = 0; pair < pairs; pair++)
    for (let i = 0; i < 2 * WIDTH; i++) sums[i]! += values[(pair * blocks + block) * 2 * WIDTH + i]!
  const point = (side: number): Point => ({
    stockValue: sumAt(sums, side, 'days')
      ? (sumAt(sums, side, 'valueDays') / sumAt(sums, side, 'days')) * pairs
      : 0,
    fillRate: rate(sumAt(sums, side, 'short'), sumAt(sums, side, 'wanted')),
  })
  return { from: toDate(start + block * BLOCK_DAYS), own: point(0), restock: point(WIDTH) }
}
