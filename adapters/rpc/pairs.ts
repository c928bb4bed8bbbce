/** The locations of each product, by its number. */
export type Pairs = Map<number, Set<string>>

export function addPair(pairs: Pairs, product: number, location: string): void {
  const own = pairs.get(product)
  if (own) own.add(location)
  else pairs.set(product, new Set([location]))
}
