import type { DemandHistory, EpochDay } from '../types.ts'
import { LEARNING_DAYS, rowsSince } from './look-back.ts'
import { learnAnalogues } from '../forecast/analogues.ts'
import { type Launch, launchOf, newcomers } from './launches.ts'
import { unitsOf } from './quantity.ts'
import { activityPart, type DailyParts, LARGEST, layOnDays } from './activity.ts'
import { sharedActivity } from './common-season.ts'
import { salesWithoutStock, sellsWithoutStock } from './censored-days.ts'
import { closedSoFar, withoutClosures, yearlyClosures } from './closed-days.ts'
import type { Holiday } from './holidays.ts'
import { detectSeriesPosting } from './find-posting.ts'
import { type Booking, type LocationContext, locationContext } from './location-context.ts'
import { type Posting, withDating } from './posting.ts'
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
  booked: Map<string, BookedTally>
  rates: number[]
  blocks: Blocks[]
  launches: Launch[]
  soldWithoutStock: number
  expectedWithoutStock: number[]
}

interface BookedTally extends Tally {
  posting: Posting
  series: number
}

interface Tally {
  sellingSkus: Map<EpochDay, number>
  parts: DailyParts
}

/** The present day of all locations or of each: only rows before it count. */
type AsOf = EpochDay | ((location: string) => EpochDay)

export interface LearningSeries {
  location: string
  history: DemandHistory
}

/**
 * The context of each location, from all of its series.
 * @param booking how demand is booked, where that is said and not to be found
 * @param holidaysAt the public holidays of a location, past ones and those to come, ascending
 */
export function contextsOf(
  series: Iterable<LearningSeries>,
  asOfAt: AsOf,
  booking: Booking | null = null,
  holidaysAt?: HolidaysAt,
): Map<string, LocationContext> {
  const learner = new ContextLearner(asOfAt, booking, holidaysAt)
  for (const each of series) learner.add(each)
  return learner.contexts()
}

/** Learns the contexts of locations from one series after the other. The parameters are those of `contextsOf`. */
export class ContextLearner {
  readonly #dayAt: (location: string) => EpochDay
  readonly #booking: Booking | null
  readonly #holidaysAt: HolidaysAt | undefined
  readonly #locations = new Map<string, Location>()

  constructor(asOfAt: AsOf, booking: Booking | null = null, holidaysAt?: HolidaysAt) {
    this.#dayAt = typeof asOfAt === 'number' ? () => asOfAt : asOfAt
    this.#booking = booking
    this.#holidaysAt = holidaysAt
  }

  add({ location, history: all }: LearningSeries) {
    const asOf = this.#dayAt(location)
    const history = rowsSince(all, asOf - LEARNING_DAYS)
    let known = this.#locations.get(location)
    if (!known) this.#locations.set(location, (known = emptyLocation()))
    const posting = this.#booking ? null : detectSeriesPosting(history, asOf)
    count(history, asOf, known, posting ? bookedTally(known, posting) : known.daily)
    const { sold, expected } = salesWithoutStock(history, asOf)
    known.soldWithoutStock += sold
    known.expectedWithoutStock.push(expected)
  }

  contexts(): Map<string, LocationContext> {
    const [locations, dayAt] = [this.#locations, this.#dayAt]
    const share = shareOfSpread([...locations.values()].map(({ blocks }) => blocks))
    const contexts = new Map(
      [...locations].map(([name, location]) => [name, this.#own(name, location)]),
    )
    const parts = new Map(
      [...locations].map(([name, location]) => [
        name,
        partsByDay(location, contexts.get(name)!, dayAt(name)),
      ]),
    )
    const latest = [...locations.keys()].reduce(
      (day, name) => Math.max(day, dayAt(name)),
      -Infinity,
    )
    const open = [...parts].map(
      ([name, own]) => [name, withoutClosures(own, contexts.get(name)!.closedDays)] as const,
    )
    const activities = sharedActivity(new Map(open), latest)
    for (const [name, context] of contexts) {
      const activity = activities.get(name)
      if (!activity) continue
      const blocks = activityBlocks(parts.get(name)!, dayAt(name))
      const seasons = seasonSpread(locations.get(name)!.blocks, blocks, share)
      contexts.set(name, { ...context, activity, ...(seasons && { seasons }) })
    }
    return contexts
  }

  /** What a location's own series tell. */
  #own(name: string, location: Location): LocationContext {
    const asOf = this.#dayAt(name)
    const calendar = this.#holidaysAt?.(name)
    const holidays = calendar?.length ? { calendar, asOf } : undefined
    return toContext(location, asOf, { booking: this.#booking, holidays })
  }
}

/** What was going on, on the days that it stands for. */
function partsByDay(
  { daily, booked }: Location,
  { posting = null }: LocationContext,
  asOf: EpochDay,
): DailyParts {
  return sumOf([
    layOnDays(daily.parts, posting),
    ...[...booked.values()].map((tally) => layOnDays(tally.parts, datedPosting(tally, asOf))),
  ])
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
  const { days, quantities, promo } = history
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
    // What a promotion adds to a sale is no season.
    const part = activityPart(sold, usual, promo?.[i] ? 1 : LARGEST)
    parts.set(days[i]!, (parts.get(days[i]!) ?? 0) + part)
  }
  if (first < asOf) location.rates.push(units / (asOf - first))
  const blocks = blocksOf(history, asOf, usual, first)
  if (blocks) location.blocks.push(blocks)
  const launch = launchOf(history, first, asOf)
  if (launch) location.launches.push(launch)
}

/** Fractions are added up in the order of their size, so that the order of the series does not matter. */
function toContext(
  { daily, booked, rates, launches: seen, ...withoutStock }: Location,
  asOf: EpochDay,
  said: Said,
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
  const lastSale = Math.max(...[daily, ...booked.values()].map(lastDay))
  const closures = yearlyClosures(context.closedDays, asOf, lastSale)
  return {
    ...context,
    ...(closures.length && {
      closures,
      closedDays: [...context.closedDays, ...closedSoFar(closures, asOf)],
    }),
    posting: context.posting && withDating(context.posting, asOf),
    ...(launches && { launches }),
    ...(postings !== null && (!postings || postings.length) && { postings }),
    ...(sellsWithoutStock(sales, undefined) && { sellsWithoutStock: true }),
  }
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

const addUp = (tallies: Tally[], what: keyof Tally) => sumOf(tallies.map((tally) => tally[what]))

function sumOf(all: Map<EpochDay, number>[]): Map<EpochDay, number> {
  if (all.length === 1) return all[0]!
  const sums = new Map<EpochDay, number>()
  for (const each of all) for (const [day, sum] of each) sums.set(day, (sums.get(day) ?? 0) + sum)
  return sums
}

/** The most common first. */
const postingsOf = (booked: Location['booked']): Posting[] =>
  [...booked.values()]
    .sort((a, b) => b.series - a.series || (keyOf(a.posting) < keyOf(b.posting) ? -1 : 1))
    .map(withLatest)

/** −Infinity where nothing was sold. */
const lastDay = ({ sellingSkus }: Pick<Tally, 'sellingSkus'>): EpochDay => {
  let last = -Infinity
  for (const day of sellingSkus.keys()) last = Math.max(last, day)
  return last
}

const withLatest = ({ posting: { every, on }, sellingSkus }: BookedTally): Posting => ({
  ...{ every, on, until: lastDay({ sellingSkus }) },
})

const datedPosting = (tally: BookedTally, asOf: EpochDay) => withDating(withLatest(tally), asOf)

const keyOf = ({ every, on }: Posting) => `${every} ${on}`
