// Rare demand as what it is: a count, with a chance of none at all.
import type { Level, Units } from '../types.ts'

/** A negative binomial count of packs; Poisson where the variance is that of the mean. */
export interface Counts {
  /** Mean in packs, more than 0. */
  mean: number
  /** Variance over mean, at least 1. */
  dispersion: number
  /** Units in a pack: what every past demand was a multiple of. */
  pack: Units
  /** How much it counts beside the quantiles of the forecast: 1 where demand is rare, 0 where it is not. */
  weight: number
}

/** Means up to which a count alone is used, and from which on quantiles say as much. */
const RARE = 2
const FREQUENT = 12
const MOST_PACKS = 1000

/** Null where demand is frequent enough for quantiles to say as much, or none is expected. */
export function countsOf(moments: { mean: number; variance: number; pack: Units }): Counts | null {
  const { mean, variance, pack } = moments
  if (!(mean > 0) || mean >= FREQUENT) return null
  const weight = Math.min(1, Math.log(FREQUENT / mean) / Math.log(FREQUENT / RARE))
  return { mean, dispersion: Math.max(1, variance / mean), pack, weight }
}

/** What is left beyond the last number of packs that is looked at. */
const REST = 1e-7
const tables = new WeakMap<Counts, number[]>()

/** Probability of at most 0, 1, 2 … packs, up to next to 1. */
function tableOf(counts: Counts): number[] {
  const known = tables.get(counts)
  if (known) return known
  const table: number[] = []
  fillTable(counts, table, 1 - REST)
  tables.set(counts, table)
  return table
}

/** @returns how many of its probabilities are below a level, as far as they are told */
function fillTable({ mean, dispersion }: Counts, table: number[] | null, level: Level): number {
  const isPoisson = dispersion < 1 + 1e-6
  const size = mean / (dispersion - 1)
  const share = 1 - 1 / dispersion
  let p = isPoisson ? Math.exp(-mean) : dispersion ** -size
  let k = 0
  for (let within = 0; ; k++) {
    within += p
    table?.push(within)
    if (!(within < level) || k === MOST_PACKS - 1) return k
    p *= isPoisson ? mean / (k + 1) : (share * (size + k)) / (k + 1)
  }
}

/** Probability that demand does not exceed `units`. */
export function countWithin(counts: Counts, units: Units): number {
  if (units < 0) return 0
  return tableOf(counts)[Math.floor(units / counts.pack + 1e-9)] ?? 1
}

/** The least number of units that is not exceeded with probability `level`. */
export function countQuantile(counts: Counts, level: Level): Units {
  const table = tableOf(counts)
  let packs = 0
  while (packs < table.length - 1 && table[packs]! < level - 1e-9) packs++
  return packs * counts.pack
}

/** The same for whoever asks but once: nothing is kept. */
export const countQuantileOnce = (counts: Counts, level: Level): Units =>
  fillTable(counts, null, Math.min(level - 1e-9, 1 - REST)) * counts.pack

/** E[max(0, D − units)]. */
export function countShortage(counts: Counts, units: Units): Units {
  const { mean, pack } = counts
  if (units <= 0) return mean * pack - units
  const table = tableOf(counts)
  const there = units / pack
  // E[max(0, D − u)] = E[D] − Σ P(D > k) over k < u
  let short = mean
  for (let k = 0; k < there && k < table.length; k++) {
    short -= (1 - table[k]!) * Math.min(1, there - k)
  }
  return Math.max(0, short * pack)
}
