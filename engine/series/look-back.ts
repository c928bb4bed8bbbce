import type { Days, DemandHistory, EpochDay } from '../types.ts'
import type { LocationContext } from './location-context.ts'
import { unitsOf } from './quantity.ts'

/** A forecast looks back no further, where demand is booked by day … */
const HISTORY_DAYS: Days = 730
/** … and where it is booked by the month or week. */
export const POSTED_HISTORY_DAYS: Days = 1830
/** What is learnt looks back further: three years of past forecasts, and a season before the first. */
export const LEARNING_DAYS: Days = 1850

/** With fewer days with sales a look further back tells a new SKU from one that is hardly asked for any more. */
const FEWEST_SALES = 2

/** Days before its as-of date that a forecast at a location may read, but where {@link saysLittle} holds for them. */
export const historyDays = ({
  posting,
  postings,
}: Pick<LocationContext, 'posting' | 'postings'>): Days =>
  posting || postings ? POSTED_HISTORY_DAYS : HISTORY_DAYS

/** Whether a forecast needs older rows than these. */
export function saysLittle({ quantities }: Pick<DemandHistory, 'quantities'>): boolean {
  let sales = 0
  for (let i = 0; i < quantities.length && sales < FEWEST_SALES; i++)
    if (unitsOf(quantities[i]!) > 0) sales++
  return sales < FEWEST_SALES
}

/**
 * What a forecast reads of a history: the days that it looks back, more where these say little, and all where that does
 * too. So it does not matter how much more was loaded.
 * @param context of the series
 */
export function forecastHistory(
  history: DemandHistory,
  asOf: EpochDay,
  context: Pick<LocationContext, 'posting'>,
): DemandHistory {
  for (const days of [historyDays({ posting: context.posting ?? null }), POSTED_HISTORY_DAYS]) {
    const recent = rowsSince(history, asOf - days)
    if (recent === history || !saysLittle(rowsBefore(recent, asOf))) return recent
  }
  return history
}

/** The history without older rows; itself where it has none. */
export const rowsSince = (history: DemandHistory, from: EpochDay): DemandHistory =>
  rowsWhere(history, (day) => day >= from)

const rowsBefore = (history: DemandHistory, to: EpochDay): DemandHistory =>
  rowsWhere(history, (day) => day < to)

function rowsWhere(history: DemandHistory, isWanted: (day: EpochDay) => boolean): DemandHistory {
  const { days, quantities, promo } = history
  if (days.every(isWanted)) return history
  const wanted = (_: unknown, i: number) => isWanted(days[i]!)
  return {
    ...history,
    days: days.filter(isWanted),
    quantities: quantities.filter(wanted),
    ...(promo && { promo: promo.filter(wanted) }),
  }
}
