// What the year does at a location: what it does at all of them, as far as the location does not show that it differs.
import type { EpochDay } from '../types.ts'
import {
  type Activity,
  activityOf,
  type DailyParts,
  PARTS,
  weekNoise,
  weeksOf,
} from './activity.ts'
import { activityBlocks, type Blocks, spreadOf } from './season-spread.ts'

/** Locations whose difference is measured count as so many more that differ as is usual. */
const USUAL = { locations: 5, repeats: 0.02, passes: 0.01 }
/** As for the SKUs of a location, of whom there are more. */
const HARDNESS = 4
/** Weeks of a season: two of the seven blocks of a year. */
const SEASON_WEEKS = (2 * 52) / 7

/**
 * The activity of each location: its own, moved to that of all as far as its difference is chance, or did not come back
 * a year later. Before its first day it has that of all.
 * @param own what was going on at each, by day
 */
export function sharedActivity(
  own: ReadonlyMap<string, DailyParts>,
  asOf: EpochDay,
): Map<string, Activity> {
  const known = new Map([...own].filter(([, parts]) => parts.size))
  const all: DailyParts = new Map()
  for (const parts of known.values())
    for (const [day, sum] of parts) all.set(day, (all.get(day) ?? 0) + sum)
  const common = activityOf(all)
  if (!common || known.size === 1)
    return new Map(common && [...known.keys()].map((name) => [name, common]))
  const { from, weeks } = common
  const weekly = new Map(
    [...known].map(([name, parts]) => [name, weeksOf(parts, from, weeks.length)]),
  )
  const { repeats, passes } = differenceOf(known, weekly, activityBlocks(all, asOf), asOf)
  return new Map(
    [...weekly].map(([name, own]) => {
      const chance = (2 * weekNoise(sinceFirst(own))) / SEASON_WEEKS
      return [name, { from, weeks: mixed(own, weeks, repeats / (repeats + passes + chance)) }]
    }),
  )
}

const sinceFirst = (weeks: readonly number[]) => weeks.slice(weeks.findIndex((week) => week > 0))

function differenceOf(
  own: ReadonlyMap<string, DailyParts>,
  weekly: ReadonlyMap<string, readonly number[]>,
  all: Float64Array,
  asOf: EpochDay,
) {
  const blocks = [...own].map(([name, parts]): Blocks => {
    const weeks = sinceFirst(weekly.get(name)!)
    const mean = weeks.reduce((sum, week) => sum + week, 0) / weeks.length / PARTS
    const units = activityBlocks(parts, asOf).map((sum) => sum / PARTS)
    return { units, dispersion: weekNoise(weeks) * mean }
  })
  const { count, repeats, passes } = spreadOf(blocks, all, HARDNESS)
  const pooled = (measured: number, usual: number) =>
    (count * measured + USUAL.locations * usual) / (count + USUAL.locations)
  return {
    repeats: pooled(repeats, USUAL.repeats),
    passes: pooled(passes, USUAL.passes),
  }
}

/** The location's weeks by a share, those of all, at its scale, by the rest. */
function mixed(own: readonly number[], all: readonly number[], share: number): number[] {
  const first = own.findIndex((week) => week > 0)
  const total = (weeks: readonly number[]) =>
    weeks.reduce((sum, week, i) => (i < first ? sum : sum + week), 0)
  const scale = total(own) / total(all)
  return all.map((week, i) =>
    Math.round(scale * week * (i < first ? 1 : 1 - share) + share * own[i]!),
  )
}
