// What public holidays do to the demand of a location, learnt from its past ones and used for those to come.
import type { DemandHistory, EpochDay, PlanKind, PlannedEffect } from '../types.ts'

/** A public holiday of a location's country. */
export interface Holiday {
  day: EpochDay
  /** Of one name are those of all years. */
  name: string
}

/** Of each holiday itself, of the day before and of the day after. */
const OFFSETS = [0, -1, 1] as const
type Offset = (typeof OFFSETS)[number]

/** The same weekdays that say what was usual. */
const AROUND = [-28, -21, -14, -7, 7, 14, 21, 28]
const FEWEST_AROUND = 4
/** Holidays that must have been seen. */
const FEWEST = 3
/** A ratio beyond says that something else went on. */
const LARGEST = 3
/** How many times its variance a factor must stand off one, squared, before it counts at all (James-Stein). */
const HARDNESS = 4
/** Below it the location is closed, and nearer to one nothing changes. */
const CLOSED = 0.1
const UNCHANGED = 0.05

interface Activity {
  /** Days with any demand, ascending, and what was going on on each of them. */
  days: Int32Array
  parts: Float64Array
}

interface Seen {
  sum: number
  count: number
}

/**
 * What holidays to come do, with the days beside them, by what the location did on past ones: each holiday's own mean, drawn to
 * that of all of them as far as it may be chance, and that to none. What past ones did stays in the past: taking it out costs
 * more than it gains (bench/accuracy).
 * @param calendar of the past and of days to come, ascending
 */
export function holidayEffects(
  calendar: readonly Holiday[],
  { days, parts }: Activity,
  asOf: EpochDay,
): PlannedEffect[] {
  const roles = rolesOf(calendar)
  const ratios = ratiosOf(days, parts)
  const noise = noiseOf(days, ratios, roles)
  const factorOf = factorsOf(roles, ratios, noise)
  const effects: PlannedEffect[] = []
  for (const [day, { name, offset }] of [...roles].sort(([a], [b]) => a - b)) {
    const factor = day < asOf ? 1 : factorOf(name, offset)
    if (factor !== 1) effects.push({ kind: 'holiday', from: day, to: day, factor })
  }
  return effects
}

interface Role {
  name: string
  offset: Offset
}

/** A day beside two of them is the day before the later one. */
function rolesOf(calendar: readonly Holiday[]): Map<EpochDay, Role> {
  const roles = new Map<EpochDay, Role>()
  for (const offset of OFFSETS)
    for (const { day, name } of calendar)
      if (!roles.has(day + offset)) roles.set(day + offset, { name, offset })
  return roles
}

type RatioOf = (day: EpochDay, isSpecial: (day: EpochDay) => boolean) => number | null

/** What went on on a day over what usually does on such a day; null where that is not known or nothing. */
function ratiosOf(days: Int32Array, parts: Float64Array): RatioOf {
  const byDay = new Map<EpochDay, number>()
  days.forEach((day, i) => byDay.set(day, parts[i]!))
  const [first, end] = [days[0] ?? 0, (days.at(-1) ?? -1) + 1]
  return (day, isSpecial) => {
    if (day < first || day >= end) return null
    const around = AROUND.map((by) => day + by)
      .filter((each) => each >= first && each < end && !isSpecial(each))
      .map((each) => byDay.get(each) ?? 0)
      .sort((a, b) => a - b)
    const usual = ((around[(around.length - 1) >> 1] ?? 0) + (around[around.length >> 1] ?? 0)) / 2
    if (around.length < FEWEST_AROUND || !(usual > 0)) return null
    return Math.min(LARGEST, (byDay.get(day) ?? 0) / usual)
  }
}

/** The variance of usual days' ratios, by their median distance from one. */
function noiseOf(days: Int32Array, ratioOf: RatioOf, roles: Map<EpochDay, Role>): number {
  const isSpecial = (day: EpochDay) => roles.has(day)
  const distances = Array.from(days)
    .filter((day) => !isSpecial(day))
    .flatMap((day) => ratioOf(day, isSpecial) ?? [])
    .map((ratio) => Math.abs(ratio - 1))
    .sort((a, b) => a - b)
  return Math.max(1e-4, (1.4826 * (distances[distances.length >> 1] ?? 1)) ** 2)
}

function factorsOf(roles: Map<EpochDay, Role>, ratioOf: RatioOf, noise: number) {
  const seen = new Map<Offset, Map<string, Seen>>(OFFSETS.map((offset) => [offset, new Map()]))
  for (const [day, { name, offset }] of roles) {
    const ratio = ratioOf(day, (each) => roles.has(each))
    if (ratio === null) continue
    const byName = seen.get(offset)!
    const { sum, count } = byName.get(name) ?? { sum: 0, count: 0 }
    byName.set(name, { sum: sum + ratio, count: count + 1 })
  }
  const rules = new Map([...seen].map(([offset, byName]) => [offset, ruleOf(byName, noise)]))
  return (name: string, offset: Offset) => rounded(rules.get(offset)!(name))
}

function ruleOf(byName: Map<string, Seen>, noise: number): (name: string) => number {
  const all = [...byName.values()]
  const count = all.reduce((total, each) => total + each.count, 0)
  if (count < FEWEST) return () => 1
  const mean = all.reduce((total, { sum }) => total + sum, 0) / count
  const spread =
    all.reduce((total, each) => total + (each.sum / each.count - mean) ** 2, 0) /
    Math.max(1, all.length - 1)
  const chance = all.reduce((total, each) => total + noise / each.count, 0) / all.length
  const between = all.length > 1 ? Math.max(0, spread - chance) : 0
  const unsure = noise / count + between / all.length
  return (name) => {
    const { sum, count: own } = byName.get(name) ?? { sum: 0, count: 0 }
    const drawn = own ? noise / (between * own + noise) : 1
    const factor = own ? (1 - drawn) * (sum / own) + drawn * mean : mean
    const variance = own ? (1 - drawn) * (noise / own) + drawn ** 2 * unsure : unsure
    return believe(factor, variance)
  }
}

function believe(factor: number, variance: number): number {
  if (factor === 1) return 1
  return 1 + Math.max(0, 1 - (HARDNESS * variance) / (factor - 1) ** 2) * (factor - 1)
}

function rounded(factor: number): number {
  if (factor < CLOSED) return 0
  return Math.abs(factor - 1) < UNCHANGED ? 1 : Math.round(factor * 100) / 100
}

/** What was learnt of days to come: of a location, and of a series that has days of its own. */
interface Learnt {
  holidays?: readonly PlannedEffect[]
  closures?: readonly PlannedEffect[]
  days?: readonly PlannedEffect[]
}

/** What is planned of a history, with its own days of every year and the holidays and closures of its location, where the plan itself says nothing of them. */
export function withLearnt(
  { effects = [] }: Pick<DemandHistory, 'effects'>,
  { holidays = [], closures = [], days = [] }: Learnt,
): Pick<DemandHistory, 'effects'> {
  const isSaid = (learnt: PlannedEffect, said: readonly PlannedEffect[]) =>
    said.some(({ from, to }) => from <= learnt.to && learnt.from <= to)
  const ofKinds = (...kinds: PlanKind[]) => effects.filter(({ kind }) => kinds.includes(kind))
  const learnt = [
    ...holidays.filter((each) => !isSaid(each, ofKinds('holiday'))),
    ...[...closures, ...days].filter(
      (each) => !isSaid(each, ofKinds('closure', 'event', 'promotion')),
    ),
  ]
  return learnt.length ? { effects: [...effects, ...learnt] } : { effects }
}
