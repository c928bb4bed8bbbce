/** Shares of the value of demand up to which pairs are of class A, and B. */
const ABC = { a: 0.8, b: 0.95 }

export type AbcClass = 'A' | 'B' | 'C'

/**
 * Pairs by the value of their demand: those that make up 80 % of it are A, 95 % with the next ones, which are B.
 * @param values from the highest to the lowest
 */
export function abcClasses(values: readonly number[]): AbcClass[] {
  const total = values.reduce((sum, value) => sum + value, 0)
  let before = 0
  return values.map((value) => {
    const share = before
    before += value
    return share < ABC.a * total ? 'A' : share < ABC.b * total ? 'B' : 'C'
  })
}
