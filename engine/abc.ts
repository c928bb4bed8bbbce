/** Shares of the value of demand up to which pairs are of class A, and B. */
export interface AbcShares {
  a: number
  b: number
}

const USUAL: AbcShares = { a: 0.8, b: 0.95 }

export const ABC_CLASSES = ['A', 'B', 'C'] as const
export type AbcClass = (typeof ABC_CLASSES)[number]

/**
 * Pairs by the value of their demand: those that make up the first share of it are A, the second one with the next ones,
 * which are B.
 * @param values from the highest to the lowest
 */
export function abcClasses(values: readonly number[], { a, b } = USUAL): AbcClass[] {
  const total = values.reduce((sum, value) => sum + value, 0)
  let before = 0
  return values.map((value) => {
    const share = before
    before += value
    return share < a * total ? 'A' : share < b * total ? 'B' : 'C'
  })
}
