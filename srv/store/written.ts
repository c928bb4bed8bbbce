/** What writing a page did, row by row. */
export interface Written {
  upserted: number
  unchanged: number
}

type Row = Record<string, unknown>

/** Whether a stored row says the same as a record; decimals are compared as numbers. */
export function sameValues(stored: Row, record: Row, columns: string[]): boolean {
  return columns.every((column) => {
    const [a, b] = [stored[column] ?? null, record[column] ?? null]
    if (a === b) return true
    if (a === null || b === null || typeof b === 'boolean') return false
    return a !== '' && b !== '' && Number(a) === Number(b)
  })
}
