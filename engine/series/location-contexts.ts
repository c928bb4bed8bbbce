import type { DemandHistory, EpochDay } from '../types.ts'
import { LEARNING_DAYS, rowsSince } from './look-back.ts'
import { learnAnalogues } from '../forecast/analogues.ts'
import { type Launch, launchOf, newcomers } from './launches.ts'
import { unitsOf } from './quantity.ts'
import { activityPart } from './activity.ts'
import { salesWithoutStock, sellsWithoutStock } from './censored-days.ts'
import type { Holiday } from './holidays.ts'
import { detectSeriesPosting } from './find-posting.ts'
import { type Booking, type LocationContext, locationContext } from './location-context.ts'
import type { Posting } from './posting.ts'
import {
  activityBlocks,
  type Blocks,
  blocksOf,
  seasonSpread,
  shareOfSpread,
} from './season-spread.ts'

/** Undefined where none are known. */
export type HolidaysAt = (location: string) => readonly Holiday[] | undefined

interface Location {
  /** What is sold by day, and what is booked by week or month, by schedule. */
  daily: Tally
  booked: Map<string, Tally & { posting: Posting; series: number }>
  rates: number[]
  blocks: Blocks[]
  launches: Launch[]
  soldWithoutStock: number
  expectedWithoutStock: number[]
}

interface Tally {
  sellingSkus: Map<EpochDay, number>
  parts: Map<EpochDay, number>
}

/**
 * The context of each location, from all of its series and only from rows before a day.
 * @param asOfAt that day, of all locations or of each
 * @param booking how demand is booked, where that is said and not to be found
 * @param holidaysAt the public holidays of a location, past ones and those to come, ascending
 */
export function contextsOf(
  series: Iterable<{ location: string; history: DemandHistory }>,
  asOfAt: EpochDay | ((location: string) => EpochDay),
  booking: Booking | null = null,
  holidaysAt?: HolidaysAt,
): Map<string, LocationContext> {
  const dayAt = typeof asOfAt === 'number' ? () => asOfAt : asOfAt
  const locations = new Map<string, Location>()
  for (const { location, history: all } of series) {
    const asOf = dayAt(location)
    const history = rowsSince(all, asOf - LEARNING_DAYS)
    let known = locations.get(location)
    if (!known) locations.set(location, (known = emptyLocation()))
    const posting = booking ? null : detectSeriesPosting(history, asOf)
    count(history, asOf, known, posting ? bookedTally(known, posting) : known.daily)
    const { sold, expected } = salesWithoutStock(history, asOf)
    known.soldWithoutStock += sold
    known.expectedWithoutStock.push(expected)
  }
  const share = shareOfSpread([...locations.values()].map(({ blocks }) => blocks))
  return new Map(
    [...locations].map(([name, location]) => {
      const asOf = dayAt(name)
      const calendar = holidaysAt?.(name)
      const holidays = calendar?.length ? { calendar, asOf } : undefined
      return [name, toContext(location, asOf, { booking, holidays }, share)]
    }),
  )
}

const emptyTally = (): Tally => ({ sellingSkus: new Map(), parts: new Map() })

const emptyLocation = (): Location => ({
  daily: emptyTally(),
  booked: new Map(),
  rates: [],
  blocks: [],
  launches: [],
  soldWithoutStock: 0,
  expectedWithoutStock: [],
})

function bookedTally({ booked }: Location, posting: Posting): Tally {
  const key = keyOf(posting)
  let tally = booked.get(key)
  if (!tally) booked.set(key, (tally = { ...emptyTally(), posting, series: 0 }))
  tally.series++
  return tally
}

function count(
  history: DemandHistory,
  asOf: EpochDay,
  location: Location,
  { sellingSkus, parts }: Tally,
): void {
  const { days, quantities } = history
  let first = asOf
  let units = 0
  let sales = 0
  for (let i = 0; i < days.length; i++) {
    const day = days[i]!
    if (day >= asOf) continue
    if (day < first) first = day
    const sold = unitsOf(quantities[i]!)
    if (sold === 0) continue
    units += sold
    sales++
    sellingSkus.set(day, (sellingSkus.get(day) ?? 0) + 1)
  }
  const usual = units / sales
  for (let i = 0; i < days.length; i++) {
    const sold = unitsOf(quantities[i]!)
    if (days[i]! >= asOf || sold === 0) continue
    parts.set(days[i]!, (parts.get(days[i]!) ?? 0) + activityPart(sold, usual))
  }
  if (first < asOf) location.rates.push(units / (asOf - first))
  const blocks = blocksOf(history, asOf, usual, first)
  if (blocks) location.blocks.push(blocks)
  const launch = launchOf(history, first, asOf)
  if (launch) location.launches.push(launch)
}

/** Fractions are added up in the order of their size, so that the order of the series does not matter. */
function toContext(
  { daily, booked, rates, blocks, launches: seen, ...withoutStock }: Location,
  asOf: EpochDay,
  said: Said,
  share: number,
): LocationContext {
  const { booking } = said
  const all = contextOf([daily, ...booked.values()], rates, said)
  const context = all.posting || !booked.size ? all : contextOf([daily], rates, said)
  const postings = booking ? false : all.posting ? null : postingsOf(booked)
  const launches = context.posting
    ? null
    : learnAnalogues(newcomers(seen, context.knownFrom ?? asOf), context.prior)
  const expected = Float64Array.from(withoutStock.expectedWithoutStock).sort()
  const sales = {
    sold: withoutStock.soldWithoutStock,
    expected: expected.reduce((sum, share) => sum + share, 0),
  }
  const seasons = context.activity
    ? seasonsOf(addUp([daily, ...booked.values()], 'parts'), blocks, asOf, share)
    : null
  return {
    ...context,
    ...(seasons && { seasons }),
    ...(launches && { launches }),
    ...(postings !== null && (!postings || postings.length) && { postings }),
    ...(sellsWithoutStock(sales, undefined) && { sellsWithoutStock: true }),
  }
}

function seasonsOf(
  parts: Tally['parts'],
  blocks: readonly Blocks[],
  asOf: EpochDay,
  share: number,
) {
  const days = Int32Array.from(parts.keys())
  return seasonSpread(blocks, activityBlocks(days, Float64Array.from(parts.values()), asOf), share)
}

/** What is known of a location beside its demand. */
type Said = Pick<Parameters<typeof locationContext>[0], 'holidays'> & { booking: Booking | null }

function contextOf(tallies: Tally[], rates: number[], said: Said): LocationContext {
  const [sellingSkus, parts] = [addUp(tallies, 'sellingSkus'), addUp(tallies, 'parts')]
  const days = Int32Array.from(sellingSkus.keys()).sort()
  return locationContext({
    days,
    sellingSkus: Int32Array.from(days, (day) => sellingSkus.get(day)!),
    parts: Float64Array.from(days, (day) => parts.get(day)!),
    rates: Float64Array.from(rates).sort(),
    ...said,
  })
}

function addUp(tallies: Tally[], what: keyof Tally): Map<EpochDay, number> {
  if (tallies.length === 1) return tallies[0]![what]
  const sums = new Map<EpochDay, number>()
  for (const tally of tallies)
    for (const [day, sum] of tally[what]) sums.set(day, (sums.get(day) ?? 0) + sum)
  return sums
}

/** The most common first. */
const postingsOf = (booked: Location['booked']): Posting[] =>
  [...booked.values()]
    .sort((a, b) => b.series - a.series || (keyOf(a.posting) < keyOf(b.posting) ? -1 : 1))
    .map(({ posting: { every, on }, sellingSkus }) => ({
      ...{ every, on, until: Math.max(...sellingSkus.keys()) },
    }))

const keyOf = ({ every, on }: Posting) => `${every} ${on}`
