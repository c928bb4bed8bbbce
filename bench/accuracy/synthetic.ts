import type { DemandHistory, EpochDay } from '../../engine/index.ts'
import { toDate, toEpochDay } from '../../engine/index.ts'

const END = toEpochDay('2026-11-01')
const YEARS = 3
const DAYS = 365 * YEARS

/** Random numbers between 0 and 1, always the same ones for a seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** A Poisson random number by Knuth's method; a large mean is split, because exp(-mean) would become 0. */
export function poisson(mean: number, random: () => number): number {
  let count = 0
  for (let left = mean; left > 0; left -= 20) {
    const limit = Math.exp(-Math.min(20, left))
    for (let product = random(); product > limit; product *= random()) count++
  }
  return count
}

export const makeHistories = (
  count: number,
  make: (seed: number) => DemandHistory,
): DemandHistory[] => Array.from({ length: count }, (_, seed) => make(seed + 1))

function historyOf(demandOn: (day: number) => number): DemandHistory {
  const rows = Array.from({ length: DAYS }, (_, day) => [END - DAYS + day, demandOn(day)] as const)
  const sold = rows.filter(([, quantity]) => quantity > 0)
  return {
    days: Int32Array.from(sold, ([day]) => day),
    quantities: Float64Array.from(sold, ([, quantity]) => quantity),
  }
}

/** Intermittent demand of a spare part: rare sales of one or a few units. */
export function spareParts(seed: number): DemandHistory {
  const random = randomOf(seed)
  const rate = 0.01 * 20 ** random()
  const size = 1 + 6 * random() ** 3
  return historyOf(() => (random() < rate ? 1 + poisson(size - 1, random) : 0))
}

/** 5 to 100 a day, always the same, but for chance (Poisson). */
export function steady(seed: number): DemandHistory {
  const random = randomOf(seed)
  const mean = 5 * 20 ** random()
  return historyOf(() => poisson(mean, random))
}

/** A grocery SKU: weekly pattern, its own yearly season, a drifting level, and noise. */
export const grocery = (seed: number): DemandHistory => groceryOf(seed, 365)

/** The same, with the seasonal peaks of all SKUs within five weeks. */
export const seasonalGrocery = (seed: number): DemandHistory => groceryOf(seed, 36.5)

/** @param apart most days between the seasonal peaks of two SKUs */
function groceryOf(seed: number, apart: number): DemandHistory {
  const random = randomOf(1000 + seed)
  const level = 2 * 20 ** random()
  const [season, phase] = [0.4 * random(), apart * random()]
  const weekend = 1 + random()
  let drift = 0
  return historyOf((day) => {
    drift += 0.01 * (random() + random() - 1)
    const yearly = 1 + season * Math.sin((2 * Math.PI * (day + phase)) / 365)
    return poisson(level * Math.exp(drift) * yearly * (day % 7 > 4 ? weekend : 1), random)
  })
}

/** Keeps every `one`th unit of the history: slower demand with the same pattern. */
export function thinOut({ days, quantities }: DemandHistory, one: number): DemandHistory {
  let before = 0
  const kept = quantities.map((quantity) => {
    const after = before + quantity
    const units = Math.floor(after / one) - Math.floor(before / one)
    before = after
    return units
  })
  return {
    days: days.filter((_, i) => kept[i]! > 0),
    quantities: kept.filter((units) => units > 0),
  }
}

/** All demand booked on Mondays. */
export const weekly = (history: DemandHistory) =>
  moveBookings(history, (day) => day + ((((4 - day) % 7) + 7) % 7))

/** All demand booked on the first day of the next month. */
export const monthly = (history: DemandHistory) =>
  moveBookings(history, (day) => {
    const [year, month] = toDate(day).split('-').map(Number) as [number, number]
    return month === 12
      ? toEpochDay(`${year + 1}-01-01`)
      : toEpochDay(`${year}-${String(month + 1).padStart(2, '0')}-01`)
  })

/** All demand of a month booked on its last Monday to Friday. */
export const lastWorkingDay = (history: DemandHistory) =>
  moveBookings(history, (day) => {
    const [year, month] = toDate(day).split('-').map(Number) as [number, number]
    const last = toEpochDay(`${year}-${String(month).padStart(2, '0')}-01`) + 31
    const end = last - Number(toDate(last).slice(8))
    const weekday = (((end + 3) % 7) + 7) % 7
    return Math.max(end - Math.max(0, weekday - 4))
  })

function moveBookings(
  { days, quantities }: DemandHistory,
  bookedOn: (day: EpochDay) => EpochDay,
): DemandHistory {
  const sums = new Map<EpochDay, number>()
  days.forEach((day, i) => {
    const on = bookedOn(day)
    sums.set(on, (sums.get(on) ?? 0) + quantities[i]!)
  })
  return { days: Int32Array.from(sums.keys()), quantities: Float64Array.from(sums.values()) }
}
