/** Values named, or rows written, in one statement: databases limit its parameters and its length. */
const IN_ONE_STATEMENT = 5_000

/** That a number is one of these. Of neighbours it is a range: a list of a thousand takes the database thrice as long. */
export const among = (numbers: readonly number[]) => rangeOf(numbers, 1) ?? { in: [...numbers] }

/** The same for a reader that leaves out what it has not asked for: up to half of what is read. */
export const near = (numbers: readonly number[]) => rangeOf(numbers, 2) ?? { in: [...numbers] }

/** @param numbers different ones */
function rangeOf(numbers: readonly number[], most: number) {
  if (!numbers.length) return null
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)]
  return last - first < most * numbers.length ? { between: first, and: last } : null
}

export function* inChunks<T>(all: readonly T[], size = IN_ONE_STATEMENT): Generator<T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size)
}
