import {
  contextFor,
  type Days,
  demandBetween,
  type DemandHistory,
  EMPTY_CONTEXT,
  type EpochDay,
  historyDays,
  isCensored,
  type LocationContext,
  type Posting,
  spreadBookings,
  stepDaysOf,
  toDate,
  toEpochDay,
  type Units,
} from '../../../engine/index.ts'
import {
  EMPTY_HISTORY,
  type HistoryOptions,
  loadHistories,
} from '../../base/database/demand/histories.ts'
import { loadStockReads } from '../../base/database/demand/stock-history.ts'
import { readAs, Series } from '../../base/database/entities.ts'
import { blockOf } from '../../base/database/native/index.ts'
import { inChunks } from '../../base/database/rows.ts'

/** The most series of a source whose forecasts are scored. */
const MOST = 400
/** The most blocks that they come from, since the series of a block are read together. */
const BLOCKS = 50

/** A sample of a source's series, spread over all of them, that hardly changes when series come or go. */
export function sampleOf<Row extends { ID: number }>(series: readonly Row[]): Row[] {
  const blocks = [...Map.groupBy(series, ({ ID }) => blockOf(ID))]
  const chosen = first(BLOCKS, blocks, ([block]) => block)
  const ofEach = Math.ceil(MOST / Math.max(1, chosen.length))
  return chosen.flatMap(([, rows]) => first(ofEach, rows, ({ ID }) => ID)).slice(0, MOST)
}

/** Picks some in a pseudo-random order, which does not depend on the others. */
const first = <T>(count: number, all: readonly T[], numberOf: (one: T) => number): T[] =>
  all.toSorted((a, b) => scattered(numberOf(a)) - scattered(numberOf(b))).slice(0, count)

/** A pseudo-random number of 32 bits for each number, no two the same (the last step of Murmur3). */
function scattered(number: number): number {
  let bits = Math.imul(number ^ (number >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

/** Loads histories like {@link loadHistories}, but block by block, so that other work runs in between. */
export async function loadSampled(
  series: readonly number[],
  asOf: string,
  options?: HistoryOptions,
): Promise<Map<number, DemandHistory>> {
  const found = new Map<number, DemandHistory>()
  for (const part of Map.groupBy(series, blockOf).values()) {
    for (const [ID, history] of await loadHistories(part, asOf, options)) found.set(ID, history)
  }
  return found
}

// The demand that came on the days of stored forecasts.

/** Returns in a window may belong to sales of this many days before it. */
const RETURNED_WITHIN = 90
/** How many days a booking may be late. */
const LATE = 5
/** After how many days a stored forecast is deleted if its demand has not become known. */
export const PATIENCE = 56

/** A statement about the demand of a series from the first to the last day. */
interface Said {
  series: number
  firstDay: string
  lastDay: string
}

/**
 * The demand of days that are over, as far as it is known; statements about the same days together.
 * @param asOf the day up to which demand is known
 * @param contexts what is learnt of each location
 */
export async function* wantedOf<Row extends Said>(
  source: number,
  asOf: string,
  due: readonly Row[],
  contexts: ReadonlyMap<string, LocationContext>,
): AsyncGenerator<{ rows: Row[]; wanted: Map<number, Units> }> {
  const locations = await locationsOf(due)
  const contextOf = ({ series }: Said) => contexts.get(locations.get(series) ?? '')
  for (const all of Map.groupBy(due, ({ firstDay, lastDay }) => firstDay + lastDay).values()) {
    const { firstDay, lastDay } = all[0]!
    const window = { from: toEpochDay(firstDay), to: toEpochDay(lastDay) + 1 }
    const rows = all.filter((row) => isKnown(contextOf(row), window.to, toEpochDay(asOf)))
    if (rows.length) yield { rows, wanted: await wantedIn(source, window, rows, contextOf) }
  }
}

async function locationsOf(rows: readonly Said[]): Promise<Map<number, string>> {
  const locations = new Map<number, string>()
  for (const chunk of inChunks([...new Set(rows.map(({ series }) => series))])) {
    const found = await readAs<{ ID: number; location: string }>(
      SELECT.from(Series)
        .columns('ID', 'location')
        .where({ ID: { in: chunk } }),
    )
    for (const { ID, location } of found) locations.set(ID, location)
  }
  return locations
}

/** Whether the demand before `end` is known on a day: that of a week or month is known after its booking. */
function isKnown(context: LocationContext | undefined, end: EpochDay, day: EpochDay): boolean {
  const postings = [context?.posting ?? [], context?.postings || []].flat()
  return end + Math.max(0, ...postings.map(waitFor)) <= (context?.knownUntil ?? day)
}

const waitFor = (posting: Posting) => Math.ceil(stepDaysOf(posting)) + LATE

interface Window {
  from: EpochDay
  to: EpochDay
}

/** The demand by series, without those that ran out of stock. */
async function wantedIn<Row extends { series: number }>(
  source: number,
  { from, to }: Window,
  rows: readonly Row[],
  contextOf: (row: Row) => LocationContext | undefined,
): Promise<Map<number, Units>> {
  const booked = rows.flatMap((row) => contextOf(row)?.posting ?? contextOf(row)?.postings ?? [])
  const wait: Days = Math.max(0, ...booked.map((posting) => (posting ? waitFor(posting) : 0)))
  const histories = await loadSampled(
    rows.map((row) => row.series),
    toDate(to + wait),
    {
      historyDays:
        wait + (wait ? historyDays({ posting: null, postings: [] }) : to - from + RETURNED_WITHIN),
      reads: await loadStockReads(source),
    },
  )
  const wanted = new Map<number, Units>()
  for (const row of rows) {
    const all = histories.get(row.series) ?? EMPTY_HISTORY
    const { posting } = contextFor(all, to + wait, contextOf(row) ?? EMPTY_CONTEXT)
    const history = posting ? spreadBookings(all, posting) : all
    if (isCensored(history, [from, to], contextOf(row))) continue
    wanted.set(row.series, demandBetween(history, from, to))
  }
  return wanted
}
