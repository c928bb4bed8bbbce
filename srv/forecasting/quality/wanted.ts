// What was then wanted of the days that forecasts were about.
import {
  contextFor,
  type Days,
  demandBetween,
  EMPTY_CONTEXT,
  type EpochDay,
  historyDays,
  isCensored,
  type LocationContext,
  type Posting,
  spreadBookings,
  stepDaysOf,
  toDate,
  type Units,
} from '../../../engine/index.ts'
import { EMPTY_HISTORY } from '../../store/demand/histories.ts'
import { inChunks } from '../../store/in-chunks.ts'
import { loadStockReads } from '../../store/demand/stock-history.ts'
import { loadSampled } from './sample.ts'

/** Days before a window in which sales are looked for that its returns belong to. */
const RETURNED_WITHIN = 90
/** Days that a booking may be late. */
const LATE = 5
/** Whether all that was sold before `end` is known on a day: where it is booked by week or month after its booking. */
export function isKnown(
  context: LocationContext | undefined,
  end: EpochDay,
  day: EpochDay,
): boolean {
  const postings = [context?.posting ?? [], context?.postings || []].flat()
  return end + Math.max(0, ...postings.map(waitFor)) <= (context?.knownUntil ?? day)
}

const waitFor = (posting: Posting) => Math.ceil(stepDaysOf(posting)) + LATE

export async function locationsOf(
  rows: readonly { series: number }[],
): Promise<Map<number, string>> {
  const locations = new Map<number, string>()
  for (const chunk of inChunks([...new Set(rows.map(({ series }) => series))])) {
    const found = (await SELECT.from('restock.Series')
      .columns('ID', 'location')
      .where({ ID: { in: chunk } })) as { ID: number; location: string }[]
    for (const { ID, location } of found) locations.set(ID, location)
  }
  return locations
}

/** The first day, and the day after the last one. */
interface Window {
  from: EpochDay
  to: EpochDay
}

/** By series; absent for those that ran out of stock. */
export async function wantedIn<Row extends { series: number }>(
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
