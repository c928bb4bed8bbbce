import { HistoryError } from './history-error.ts'

const REQUIRED = ['sku', 'location', 'date', 'quantity'] as const

/** Where the columns stand in a row. */
export type Columns = Record<(typeof REQUIRED)[number], number>

/** Finds the columns by the header's names, in any order; others are left alone. */
export function columnsOf(header: string[]): Columns {
  const names = header.map((name) => name.trim().toLowerCase())
  const columns: Partial<Columns> = {}
  for (const name of REQUIRED) {
    const at = names.indexOf(name)
    if (at < 0) throw new HistoryError(`line 1: there is no column "${name}"`)
    if (names.includes(name, at + 1)) throw new HistoryError(`line 1: two columns "${name}"`)
    columns[name] = at
  }
  return columns as Columns
}
