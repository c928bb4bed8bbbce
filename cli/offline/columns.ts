import { HistoryError } from './history-error.ts'

/** The index of each column in a row. */
export type Columns<Name extends string> = Record<Name, number>

/** Finds columns by their names in the header; other columns are ignored. */
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

/** The index of an optional column; -1 if missing. */
export const optionalColumn = (header: string[], name: string): number =>
  header.findIndex((each) => each.trim().toLowerCase() === name)
