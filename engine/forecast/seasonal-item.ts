// What sells for the most part in one season of the year, such as Christmas articles: the level of other weeks says nothing of it.
import { MS_PER_DAY } from '../series/calendar.ts'
import { feastsAround } from '../series/moving-feasts.ts'
import type { Days, EpochDay, Units } from '../types.ts'
import { chanceAfter } from './ended.ts'
import type { Amounts } from './model.ts'
import { gammaQuantileOverMean } from './numeric/gamma.ts'

const WEEK: Days = 7
const WEEKS = 52
/** A whole number of weeks, since the days of a week differ; months come back after a year of the sun. */
const YEAR: Record<Resolution, Days> = { week: WEEKS * WEEK, month: 365.25 }
/** A week belongs to the season if more than this share of a peak is sold in it, which is the mean of so many best weeks. */
const QUIET = 0.4
const PEAK_WEEKS = 3
/** Weeks of a year that belong to the season at most, in one of two years. */
const LONGEST = 30
/** Weeks on end that belong to the season of neither year: what is booked once a quarter sells all year. */
const SILENCE = 16
/** Weeks that belong to the season of both years, at least, and their share of those of either. Two months are often alike by chance. */
const ALIKE: Record<Resolution, { least: number; share: number }> = {
  week: { least: 3, share: 0.6 },
  month: { least: 7, share: 0.75 },
}
/** By so much more alike must seasons be by a feast than by the calendar. */
const BY_CALENDAR = 0.15
/** By so much worse may the same dates tell the latest year than the same weekdays do: most seasons end on a date. */
const BY_DATE = 0.9
/** What the latest year counts. */
const LATEST = 0.6
/** A season begins up to so many days earlier or later than a year before, unless it ends on the same day of both. */
const SHIFTS: readonly Days[] = [-4, -2, 0, 2, 4]
/** Squared coefficient of variation of a season's size from one year to the next. */
const YEARLY = 0.25 ** 2
/** Days that tell how large this season is. */
const SO_FAR: Days = 84
/** Variance over mean of what comes in some weeks. */
const DISPERSION = 4
/** A season may be so much early or late, and days of which less than this share is expected then are its edge. */
const TIMINGS: readonly Days[] = [9, 0, -9]
const EDGE = 1 / 3
/** A shorter silence may be one without stock; longer ones are of a mixture of this shape, in which so many units count as a sale. */
const STOCKOUT: Days = 21
const SALE: Units = 2
const SILENCE_SHAPE = 4

/** What is booked by the day or week tells of weeks, the rest of months alone. */
type Resolution = 'week' | 'month'

interface History {
  /** Units a step, the latest last. */
  values: Float64Array
  stepDays: Days
  /** The first day that nothing is known of, and the first to forecast. */
  end: EpochDay
  asOf: EpochDay
  /** Days before the end of which the location knows, and in which this one sold nothing where it has no value. */
  known: Days
  /** Values that are kept at most: where there are so many, nothing is known before them. */
  most: number
}

/** The day that stood for a day so many years ago. */
type Ago = (day: EpochDay, years: 1 | 2) => EpochDay

/** How a day finds those of the last two years, and which of the days around them stand for it too. */
interface Year {
  ago: Ago
  isLike: (day: EpochDay, other: EpochDay) => boolean
}

/** The same day of the same month. */
const byDate: Ago = (day, years) => {
  const date = new Date(day * MS_PER_DAY)
  const [year, month] = [date.getUTCFullYear() - years, date.getUTCMonth()]
  return Date.UTC(year, month, date.getUTCDate()) / MS_PER_DAY
}

const byCalendar =
  (year: Days): Ago =>
  (day, years) =>
    day - years * year

/** As far from the feast of its year as the day is from the one nearest to it. */
const byFeast =
  (feasts: readonly EpochDay[]): Ago =>
  (day, years) => {
    let nearest = 2
    for (let i = 3; i < feasts.length; i++)
      if (Math.abs(feasts[i]! - day) < Math.abs(feasts[nearest]! - day)) nearest = i
    return day - feasts[nearest]! + feasts[nearest - years]!
  }

/** Units that came on a day, an equal part of its step; null where that is not known. */
type UnitsOn = (day: EpochDay) => Units | null

function unitsOnOf({ values, stepDays, end, known, most }: History): UnitsOn {
  const { length } = values
  const first = length < most ? Math.min(0, length - Math.floor(known / stepDays)) : 0
  return (day) => {
    const at = length + Math.floor((day - end) / stepDays)
    return at < first || at >= length ? null : (values[at] ?? 0) / stepDays
  }
}

/** Which of a year's weeks belong to its season. */
function seasonWeeks(units: readonly Units[]): boolean[] {
  const best = units.toSorted((a, b) => b - a).slice(0, PEAK_WEEKS)
  const peak = best.reduce((sum, each) => sum + each, 0) / PEAK_WEEKS
  return units.map((each) => each > QUIET * peak)
}

const counted = (weeks: readonly boolean[]) => weeks.filter(Boolean).length

/** The longest run of weeks without a season; it may last over the year's end. */
function longestSilence(weeks: readonly boolean[]): number {
  let [silent, longest] = [0, 0]
  for (const isSeason of [...weeks, ...weeks]) {
    silent = isSeason ? 0 : silent + 1
    longest = Math.max(longest, silent)
  }
  return longest
}

const mayBeSeason = (weeks: readonly boolean[]) =>
  longestSilence(weeks) >= SILENCE && counted(weeks) <= LONGEST

/** How alike the seasons of two years are, from 0 to 1; 0 where they are none. */
function alikeness(
  latest: readonly boolean[],
  before: readonly boolean[],
  { least, share }: (typeof ALIKE)[Resolution],
): number {
  const any = latest.map((isSeason, week) => isSeason || before[week]!)
  const both = counted(latest.filter((isSeason, week) => isSeason && before[week]))
  if (!mayBeSeason(any) || both < least || both < share * counted(any)) return 0
  return both / counted(any)
}

/** Null for what sells all year, or is not known for two. */
function yearOf(history: History, unitsOn: UnitsOn): Year | null {
  const ago = agoOf(history, unitsOn)
  if (!ago) return null
  if (history.stepDays > 1) return { ago, isLike: ALWAYS }
  const isSeason = seasonDays(history, unitsOn)
  const isLike: Year['isLike'] = (day, other) => isSeason(day) === isSeason(other)
  const kinds = [isLike, ALWAYS]
  const years = [byDate, ago].flatMap((ago) => kinds.map((isLike): Year => ({ ago, isLike })))
  const misfits = years.map((year) => misfitOf(year, history.end, unitsOn))
  const byDates = Math.min(...misfits.slice(0, kinds.length))
  const best = Math.min(...misfits)
  return years[misfits.indexOf(best < BY_DATE * byDates ? best : byDates)]!
}

const ALWAYS: Year['isLike'] = () => true

/** Days of the season: the week around them sells more than half of what the best weeks of their year do. */
function seasonDays({ end }: History, unitsOn: UnitsOn): (day: EpochDay) => boolean {
  const weekAround = (day: EpochDay) => {
    let units = 0
    for (let each = day - 3; each <= day + 3; each++) units += unitsOn(each) ?? 0
    return units
  }
  const years = [2, 1].map((ago) => {
    const first = end - ago * WEEKS * WEEK
    const weeks = Array.from({ length: WEEKS * WEEK }, (_, i) => weekAround(first + i))
    const best = weeks.toSorted((a, b) => b - a).slice(0, PEAK_WEEKS * WEEK)
    const half = best.reduce((sum, each) => sum + each, 0) / best.length / 2
    return { first, isSeason: weeks.map((units) => units > half) }
  })
  return (day) => {
    const { first, isSeason } = years[day < years[1]!.first ? 0 : 1]!
    return isSeason[day - first] ?? false
  }
}

/** How far the latest year was from what the one before it tells of its days, in squares of units a day. */
function misfitOf(year: Year, end: EpochDay, unitsOn: UnitsOn): number {
  const days: [latest: Units, before: Units][] = []
  for (let day = end - WEEKS * WEEK; day < end; day++) {
    const [latest, before] = [unitsOn(day), unitsAround(year.ago(day, 1), year, unitsOn)]
    if (latest !== null && before !== null) days.push([latest, before])
  }
  const total = (of: 0 | 1) => days.reduce((sum, day) => sum + day[of], 0)
  const grown = total(0) / total(1)
  const squares = days.reduce((sum, [latest, before]) => sum + (latest - grown * before) ** 2, 0)
  return Number.isFinite(grown) ? squares / days.length : Infinity
}

/** As {@link Year.ago}; null for what sells all year, or is not known for two. */
function agoOf({ stepDays, end, known }: History, unitsOn: UnitsOn): Ago | null {
  const resolution = stepDays <= WEEK ? 'week' : 'month'
  const year = YEAR[resolution]
  if (known < 2 * year) return null
  const weeksBy = (dayOf: (day: EpochDay) => EpochDay) =>
    seasonWeeks(
      Array.from({ length: WEEKS }, (_, week) => {
        const from = dayOf(end - (week + 1) * WEEK)
        let units = 0
        for (let day = from; day < from + WEEK; day++) units += unitsOn(day) ?? 0
        return units
      }),
    )
  const latest = weeksBy((day) => day)
  if (!mayBeSeason(latest)) return null
  const alike = (ago: Ago) =>
    alikeness(
      latest,
      weeksBy((day) => ago(day, 1)),
      ALIKE[resolution],
    )
  const calendar = byCalendar(year)
  let [found, best] = [calendar, alike(calendar)]
  if (resolution === 'month') return best > 0 ? found : null
  const enough = best + BY_CALENDAR
  for (const feasts of enough < 1 ? feastsAround(end) : []) {
    const ago = byFeast(feasts)
    const like = alike(ago)
    if (like > best && like > enough) [found, best] = [ago, like]
  }
  return best > 0 ? found : null
}

/** The mean of a day and those around it that are like it; null where none is known. */
function unitsAround(day: EpochDay, { isLike }: Year, unitsOn: UnitsOn): Units | null {
  let [sum, count] = [0, 0]
  for (const by of SHIFTS) {
    const units = isLike(day, day + by) ? unitsOn(day + by) : null
    if (units === null) continue
    sum += units
    count++
  }
  return count ? sum / count : null
}

/** What came in the last two years on the days that stood for one, over days around it; the other year's where one is unknown. */
function yearsOn(day: EpochDay, year: Year, unitsOn: UnitsOn): [latest: Units, before: Units] {
  const [latest, before] = [
    unitsAround(year.ago(day, 1), year, unitsOn),
    unitsAround(year.ago(day, 2), year, unitsOn),
  ]
  return [latest ?? before ?? 0, before ?? latest ?? 0]
}

const meanOf = ([latest, before]: [Units, Units]) => LATEST * latest + (1 - LATEST) * before

/** Squared coefficient of variation of a season's size: those that grow are as uncertain as their growth. */
function variationOf(asOf: EpochDay, year: Year, unitsOn: UnitsOn): number {
  let [latest, before] = [0, 0]
  for (let day = asOf; day < asOf + WEEKS * WEEK; day++) {
    const years = yearsOn(day, year, unitsOn)
    latest += years[0]
    before += years[1]
  }
  return latest > 0 && before > 0 ? Math.max(YEARLY, Math.log(latest / before) ** 2) : YEARLY
}

/** What the last years expect of a day: of a season on time, and at least and at most of one that is early or late. */
function expectedOn(day: EpochDay, year: Year, unitsOn: UnitsOn) {
  const [early, onTime, late] = TIMINGS.map((by) => meanOf(yearsOn(day + by, year, unitsOn))) as [
    Units,
    Units,
    Units,
  ]
  return { onTime, least: Math.min(early, onTime, late), most: Math.max(early, onTime, late) }
}

/** What this season is over the last ones, by what has come on days that are no edge of one. */
function sizeSoFar(end: EpochDay, variation: number, year: Year, unitsOn: UnitsOn): number {
  let [came, expected] = [0, 0]
  for (let day = end - SO_FAR; day < end; day++) {
    const { onTime, least, most } = expectedOn(day, year, unitsOn)
    if (least < EDGE * most) continue
    came += unitsOn(day) ?? 0
    expected += onTime
  }
  if (!(expected > 0)) return 1
  return 1 + (variation / (variation + DISPERSION / expected)) * (came / expected - 1)
}

/** The chance that there is still demand after a silence in which the last years expect some: as of other SKUs, by units instead of sales. */
function chanceOfSeason({ values, stepDays, end }: History, year: Year, unitsOn: UnitsOn): number {
  let silent = 0
  while (silent < values.length && values[values.length - 1 - silent] === 0) silent++
  const days = Math.round(silent * stepDays)
  if (days <= STOCKOUT) return 1
  let missed = 0
  for (let day = end - days; day < end; day++) missed += expectedOn(day, year, unitsOn).least
  return chanceAfter(missed / SALE, SILENCE_SHAPE, days)
}

/**
 * Writes what came in the same days of both years over the forecast, in place.
 * @returns the chance that there is still demand; null where it is no such item, and nothing is written
 */
export function writeSeasonalItem(
  history: History,
  {
    stepCounts,
    quantiles,
    amounts,
  }: { stepCounts: readonly number[]; quantiles: Float64Array; amounts: Amounts },
): number | null {
  const { asOf, end, stepDays } = history
  const unitsOn = unitsOnOf(history)
  const year = yearOf(history, unitsOn)
  if (!year) return null
  const variation = variationOf(asOf, year, unitsOn)
  const size = sizeSoFar(end, variation, year, unitsOn)
  const sums: [Units, Units][] = [[0, 0]]
  const daysOf = (steps: number) => Math.round(steps * stepDays)
  for (let day = 0; day < daysOf(Math.max(...stepCounts)); day++) {
    const [latest, before] = yearsOn(asOf + day, year, unitsOn)
    sums.push([sums[day]![0] + size * latest, sums[day]![1] + size * before])
  }
  stepCounts.forEach((steps, i) => {
    const [latest, before] = sums[daysOf(steps)]!
    const mean = meanOf([latest, before])
    const variance = mean + variation * mean * mean + ((latest - before) / 2) ** 2
    const shape = mean > 0 ? (mean * mean) / variance : 0
    for (let level = 0; level < 3; level++)
      quantiles[3 * i + level] = shape > 0 ? mean * gammaQuantileOverMean(shape, level) : 0
    const p50 = quantiles[3 * i + 1]!
    amounts.yearly ??= stepCounts.map(() => 0)
    amounts.yearly[i] = p50 - amounts.level[i]!
    if (amounts.promotion) amounts.promotion[i] = 0
  })
  return chanceOfSeason(history, year, unitsOn)
}
