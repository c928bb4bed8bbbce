/**
 * Cuts a page from rows of which one more than `limit` was asked for.
 * @param positionOf what names a row's place in the list
 * @returns `next`: the position of the last row, after which the next page begins; null on the last page
 */
export function toPage<Row>(
  rows: readonly Row[],
  limit: number,
  positionOf: (row: Row) => string | number,
) {
  const data = rows.slice(0, limit)
  return { data, next: rows.length > limit ? String(positionOf(data.at(-1)!)) : null }
}
