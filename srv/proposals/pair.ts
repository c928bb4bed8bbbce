/** A SKU at a location. */
export interface Pair {
  sku: string
  location: string
}

/** The same for the same pair of a source, to group and find rows by. */
export const pairKey = ({ sku, location }: Pair) => `${sku}\u0000${location}`
