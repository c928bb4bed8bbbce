/** A SKU at a location. */
export interface Pair {
  sku: string
  location: string
}

/** The same for the same pair of a source, to group and find rows by. */
export const pairKey = ({ sku, location }: Pair) => `${sku}\u0000${location}`

/** A condition on a column: one of what these pairs have there, or of the further values. */
export const isOneOf = <P>(pairs: readonly P[], of: (pair: P) => string, ...further: string[]) => ({
  in: [...new Set([...further, ...pairs.map(of)])],
})

/** A condition that these pairs meet, and perhaps others of their SKUs and locations; none without pairs. */
export const amongPairs = (pairs?: readonly Pair[]) =>
  pairs && {
    sku: isOneOf(pairs, ({ sku }) => sku),
    location: isOneOf(pairs, ({ location }) => location),
  }
