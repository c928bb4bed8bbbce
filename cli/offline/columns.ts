import { HistoryError } from './history-error.ts'

/** Where the columns stand in a row. */
export type Columns<Name extends string> = Record<Name, number>

/** Finds columns by the header's names, in any order; others are left alone. */
export function columnsOf<Name extends string>(
  header: string[],
  required: readonly Name[],
): Columns<Name> {
  const names = header.map((name) => name.trim().toLowerCase())
  const columns: Partial<Columns<Name>> = {}
  for (const name of required) {
    const at = names.indexOf(name)
    if (at < 0) throw new HistoryError(`line 1: there is no column "${name}"`)
    if (names.includes(name, at + 1)) throw new HistoryError(`line 1: two columns "${name}"`)
    columns[name] = at
  }
  return columns as Columns<Name>
}

/** Where a column stands that need not be there; -1 where it is not. */
export const optionalColumn = (header: string[], name: string): number =>
  header.findIndex((each) => each.trim().toLowerCase() === name)
