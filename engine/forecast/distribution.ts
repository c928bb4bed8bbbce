// The whole distribution of a forecast of total demand, from the three quantiles that are shown.
import type { Level, Quantiles, Units } from '../types.ts'
import { type Counts, countQuantile, countShortage, countWithin } from './counts.ts'
import { Z90 } from './numeric/forecast-quantiles.ts'
import { normalCdf } from './numeric/normal-cdf.ts'
import { normalQuantile } from './numeric/normal.ts'

/**
 * Demand X whose fourth root is normal on either side of its median: X = (a + b·z)⁴ with z standard normal, b from
 * P10 below the median and from P90 above it, cut at 0. The fourth root makes counts and amounts nearly normal, as
 * the cube root does a gamma. Above P90 z counts `tail` times, from P95 on `steep`
 * times that: bulk orders are more frequent than a gamma knows.
 *
 * Source: Wilson, Hilferty, The Distribution of Chi-Square, 1931 (the cube root); the power and the tail are
 * measured on real demand (bench/inventory, tail.ts).
 */
export interface Distribution extends Quantiles {
  /** Where it lies nearer to the median than a normal root has it; absent: it does not. */
  p75?: Units
  /** By how much the part above P90 is stretched, in standard deviations of the root; 1: not at all. */
  tail: number
  /** By how much more from P95 on; absent: no more. */
  steep?: number
  /** Where demand is rare: the count that it is, mixed in by its weight. */
  counts?: Counts
}

/** Standard normal quantile of .75. */
const Z75 = 0.6744897501960817
/** The share of the way from P50 to P90, as roots, at which P75 lies where the root is normal above its median. */
export const USUAL_UPPER = Z75 / Z90

/** P75 at that share of the way. */
export const p75At = (upper: number, p50: Units, p90: Units): Units =>
  (root(p50) + upper * (root(p90) - root(p50))) ** 4

/** Where the past says nothing of the tail. */
export const USUAL_TAIL = 1.2

/** Standard normal quantile of .95. */
const Z95 = 1.6448536269514722

/** How far above P90 a quantile lies, in standard deviations of the root where the tail is 1. */
export const tailDistance = (z: number, steep: number) =>
  z - Z90 + (steep - 1) * Math.max(0, z - Z95)

/** z runs over `from`..`to`, X = (a + b·z)⁴. */
interface Piece {
  from: number
  to: number
  a: number
  b: number
}

export const root = (units: Units) => Math.sqrt(Math.sqrt(units))

function piecesOf({ p10, p50, p75, p90, tail, steep = 1 }: Distribution): Piece[] {
  const a = root(p50)
  const below = (a - root(p10)) / Z90
  const above = (root(p90) - a) / Z90
  const lowest = below > 0 ? -a / below : -Infinity
  return [
    { from: lowest, to: 0, a, b: below },
    ...(p75 === undefined
      ? [{ from: 0, to: Z90, a, b: above }]
      : bentPieces(a, root(p75), root(p90))),
    ...tailPieces(a + above * Z90, above * tail, above * tail * steep),
  ]
}

/** From P90 by way of P95, with the standard deviation of each. */
function tailPieces(r90: number, near: number, far: number): Piece[] {
  const a = r90 - near * Z90
  return [
    { from: Z90, to: Z95, a, b: near },
    { from: Z95, to: Infinity, a: a + (near - far) * Z95, b: far },
  ]
}

/** From the median to P90 by way of P75, all as roots. */
function bentPieces(median: number, r75: number, r90: number): Piece[] {
  const [first, second] = [(r75 - median) / Z75, (r90 - r75) / (Z90 - Z75)]
  return [
    { from: 0, to: Z75, a: median, b: first },
    { from: Z75, to: Z90, a: r75 - second * Z75, b: second },
  ]
}

/**
 * The demand that is not exceeded with probability `level`, unrounded.
 * @param level strictly between 0 and 1
 */
export function quantileOf(distribution: Distribution, level: Level): Units {
  const { counts } = distribution
  if (!counts) return rootQuantile(distribution, level)
  const count = countQuantile(counts, level)
  if (counts.weight === 1) return count
  return halve(distribution, level, count, rootQuantile(distribution, level))
}

/** The least whole amount about two others that is not exceeded with that probability; counts reach half a unit further. */
function halve(distribution: Distribution, level: Level, one: Units, other: Units): Units {
  let [low, high] = [Math.floor(Math.min(one, other)) - 1, Math.ceil(Math.max(one, other))]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (probabilityWithin(distribution, middle + 0.5) < level) low = middle
    else high = middle
  }
  return Math.max(0, high)
}

function rootQuantile(distribution: Distribution, level: Level): Units {
  const { p10, p50, p75, p90, tail, steep = 1 } = distribution
  const z = normalQuantile(level)
  const median = root(p50)
  if (p75 !== undefined && z > 0 && z < Z90) {
    const [first, second] = bentPieces(median, root(p75), root(p90)) as [Piece, Piece]
    const { a, b } = z < Z75 ? first : second
    return (a + b * z) ** 4
  }
  const side = z < 0 ? median - root(p10) : root(p90) - median
  const distance = z <= Z90 ? z : Z90 + tail * tailDistance(z, steep)
  return Math.max(0, median + (side * distance) / Z90) ** 4
}

/** The z at which X reaches `units`; infinite where X never does, or always has. */
function standardise({ p10, p50, p75, p90, tail, steep = 1 }: Distribution, units: Units): number {
  if (units < 0) return -Infinity
  const at = root(units)
  const beyond = at - root(p50)
  if (p75 !== undefined && beyond >= 0 && at < root(p90)) {
    const [r50, r75, r90] = [root(p50), root(p75), root(p90)]
    if (at < r75) return (Z75 * beyond) / (r75 - r50)
    return Z75 + ((Z90 - Z75) * (at - r75)) / (r90 - r75)
  }
  const side = beyond < 0 ? root(p50) - root(p10) : root(p90) - root(p50)
  if (!(side > 0)) return beyond < 0 ? -Infinity : Infinity
  const z = (Z90 * beyond) / side
  if (z <= Z90) return z
  const distance = (z - Z90) / tail
  const far = Math.max(0, distance - (Z95 - Z90))
  return Z90 + distance - far + far / steep
}

/** Probability that demand does not exceed `units`. */
export function probabilityWithin(distribution: Distribution, units: Units): number {
  const { counts } = distribution
  if (counts?.weight === 1) return countWithin(counts, units)
  const within = probabilityAt(standardise(distribution, units))
  return counts ? within + counts.weight * (countWithin(counts, units) - within) : within
}

const probabilityAt = (z: number) => (z === -Infinity ? 0 : z === Infinity ? 1 : normalCdf(z))

/** Units that are wanted and not there, in the mean: E[max(0, X − units)]; at 0 that is the mean of X. */
export function expectedShortage(distribution: Distribution, units: Units): Units {
  const { counts } = distribution
  if (!counts) return rootShortage(distribution, units)
  const short = countShortage(counts, units)
  if (counts.weight === 1) return short
  return short + (1 - counts.weight) * (rootShortage(distribution, units) - short)
}

/** In closed form, from the moments ∫ zᵏ·φ(z) dz of each piece. */
function rootShortage(distribution: Distribution, units: Units): Units {
  const pieces = piecesOf(distribution)
  const from = standardise(distribution, Math.max(0, units))
  let sum = 0
  for (const piece of pieces) {
    const start = Math.max(from, piece.from)
    if (start < piece.to) sum += fourthPower(piece, start)
  }
  return Math.max(0, sum - units * (1 - probabilityAt(from)))
}

/** ∫ (a + b·z)⁴·φ(z) dz over `start`..`to`. */
function fourthPower({ a, b, to }: Piece, start: number): Units {
  const [m0, m1, m2, m3, m4] = momentsFrom(start)
  const [n0, n1, n2, n3, n4] = momentsFrom(to)
  const [a2, b2] = [a * a, b * b]
  return (
    a2 * a2 * (m0 - n0) +
    4 * a2 * a * b * (m1 - n1) +
    6 * a2 * b2 * (m2 - n2) +
    4 * a * b2 * b * (m3 - n3) +
    b2 * b2 * (m4 - n4)
  )
}

type Moments = readonly [number, number, number, number, number]

/** ∫ tᵏ·φ(t) dt over z..∞ for k = 0..4. */
function momentsFrom(z: number): Moments {
  if (z === 0) return FROM_MEDIAN
  if (z === Z90) return FROM_P90
  if (z === Z95) return FROM_P95
  return computeMoments(z)
}

function computeMoments(z: number): Moments {
  if (z === Infinity) return [0, 0, 0, 0, 0]
  if (z === -Infinity) return [1, 0, 1, 0, 3]
  const density = Math.exp((-z * z) / 2) * 0.3989422804014327
  const beyond = 1 - normalCdf(z)
  return [
    beyond,
    density,
    z * density + beyond,
    (z * z + 2) * density,
    (z * z + 3) * z * density + 3 * beyond,
  ]
}

const FROM_MEDIAN = computeMoments(0)
const FROM_P90 = computeMoments(Z90)
const FROM_P95 = computeMoments(Z95)
