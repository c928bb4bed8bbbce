// What a series is to people, its SKU and location, decides what is learnt from it: the number that it is stored by differs
// from one read of the same data to the next.
export interface Pair {
  sku: string
  location: string
}

/** By location, then SKU (UTF-16 code units, as every machine has them). */
export const byNaturalKey = (a: Pair, b: Pair): number =>
  byText(a.location, b.location) || byText(a.sku, b.sku)

export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** A whole number of 32 bits that has nothing to do with the order of keys: FNV-1a, spread by Murmur3's last step. */
export function scatter({ sku, location }: Pair): number {
  let bits = hash(0x811c9dc5, sku)
  bits = hash(Math.imul(bits, 0x01000193), location)
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

function hash(from: number, text: string): number {
  let bits = from
  for (let i = 0; i < text.length; i++) bits = Math.imul(bits ^ text.charCodeAt(i), 0x01000193)
  return bits
}

/** So many of the pairs, the same ones whatever their order and nearly the same when pairs come or go; in natural order. */
export function pickPairs<T extends Pair>(pairs: readonly T[], count: number): T[] {
  if (pairs.length <= count) return pairs.toSorted(byNaturalKey)
  const numbered = pairs.map((pair) => ({ pair, number: scatter(pair) }))
  numbered.sort((a, b) => a.number - b.number || byNaturalKey(a.pair, b.pair))
  return numbered
    .slice(0, count)
    .map(({ pair }) => pair)
    .sort(byNaturalKey)
}
