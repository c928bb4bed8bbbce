/** A 32-bit hash of the arguments. */
export function mix(seed: number, a: number, b = 0, c = 0): number {
  let h = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ a
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d) + b
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39) + c
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b)
  h ^= h >>> 13
  return Math.imul(h, 0xc2b2ae35) >>> 0
}

export function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}

/** A multiplier that permutes 0..n−1 by `(i · a + b) mod n`. */
export function multiplier(n: number, wanted: number): number {
  if (n <= 2) return 1
  let a = (wanted % (n - 1)) + 1
  while (greatestCommonDivisor(a, n) !== 1) a = (a % (n - 1)) + 1
  return a
}
