/** Values named, or rows written, in one statement: databases limit its parameters and its length. */
const IN_ONE_STATEMENT = 5_000

export function* inChunks<T>(all: readonly T[], size = IN_ONE_STATEMENT): Generator<T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size)
}
