import type { Days, DemandHistory, EpochDay, Units } from '../types.ts'
import { unitsOf } from './quantity.ts'

/** Sales that a sample, or a misspelt year, makes at most, and their share of all demand. */
const STRAY = { sales: 2, share: 0.05 }
/** Sales after them that tell how often such a SKU sells. */
const FEWEST_AFTER = 10
/** The silence after them, over the longest and over the usual one later, and in days. */
const SILENCE = { longest: 3, usual: 10, days: 28 }

/**
 * The history without a sale or two, or rows of nothing, long before all others: they tell when a sample was sold or a year
 * misspelt, and not since when there is demand.
 */
export function withoutStrayStart(history: DemandHistory, asOf: EpochDay): DemandHistory {
  const { days, quantities } = history
  const isAscending = days.every((day, i) => i === 0 || days[i - 1]! <= day)
  const order = isAscending ? null : [...days.keys()].sort((a, b) => days[a]! - days[b]!)
  const rowAt = (at: number): Row => {
    const i = order ? order[at]! : at
    return { day: days[i]!, units: unitsOf(quantities[i]!) }
  }
  const start = startOf(rowAt, days.length, asOf)
  return start === null ? history : rowsFrom(history, start)
}

interface Row {
  day: EpochDay
  units: Units
}

/**
 * The day on which demand begins after what is stray; null where nothing is. Of most series no more than the first rows are looked at.
 * @param rowAt by day, ascending
 */
function startOf(rowAt: (at: number) => Row, count: number, asOf: EpochDay): EpochDay | null {
  let [sales, units] = [0, 0]
  for (let i = 0; i < count - FEWEST_AFTER; i++) {
    const { day, units: sold } = rowAt(i)
    const next = rowAt(i + 1).day
    if (sold > 0) sales++
    units += sold
    if (sales > STRAY.sales || next >= asOf) return null
    if (next - day < SILENCE.days) continue
    const later = Array.from({ length: count - i - 1 }, (_, at) => rowAt(i + 1 + at))
    const known = later.filter((row) => row.day < asOf)
    if (isStray(known, next - day, units)) return next
  }
  return null
}

function isStray(later: readonly Row[], gap: Days, before: Units): boolean {
  const sold = later.filter(({ units }) => units > 0)
  if (sold.length < FEWEST_AFTER) return false
  const units = sold.reduce((sum, row) => sum + row.units, 0)
  if (before > STRAY.share * (before + units)) return false
  const longest = Math.max(...sold.slice(1).map(({ day }, i) => day - sold[i]!.day))
  const usual = (sold.at(-1)!.day - sold[0]!.day) / (sold.length - 1)
  return gap >= SILENCE.longest * longest && gap >= SILENCE.usual * usual
}

function rowsFrom(history: DemandHistory, start: EpochDay): DemandHistory {
  const { days, quantities, promo } = history
  const isKept = (_: unknown, i: number) => days[i]! >= start
  return {
    ...history,
    days: days.filter(isKept),
    quantities: quantities.filter(isKept),
    ...(promo && { promo: promo.filter(isKept) }),
  }
}
