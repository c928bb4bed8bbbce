// The only statements that are ever made for views: names are constants or checked, values are parameters.
import type { ColumnSpellings, Statement } from './dialects/dialect.ts'
import type { System } from './system.ts'
import type { View } from './views.ts'

/** Columns of a view in the order of its rows' cells. */
export const columnsToRead = (
  view: View,
  found: ColumnSpellings,
  more: readonly string[] = [],
): ColumnSpellings =>
  new Map(
    [...view.required, ...view.optional, ...more].flatMap((column) => {
      const spelling = found.get(column)
      return spelling === undefined ? [] : [[column, spelling] as const]
    }),
  )

/** All rows, in an order in which rows of one key follow each other. */
export function selectAll(
  system: System,
  view: View,
  columns: ColumnSpellings,
  key: readonly string[],
): Statement {
  const { quote, exactly } = system.dialect
  const order = key
    .flatMap((column) => columns.get(column) ?? [])
    .map((each) => exactly(quote(each)))
  return { sql: `${selectOf(system, view, columns)} ORDER BY ${order.join(', ')}`, values: [] }
}

/** A few rows, to try. */
export const selectSome = (
  system: System,
  view: View,
  columns: ColumnSpellings,
  rows: number,
): Statement => ({ sql: `${selectOf(system, view, columns)} LIMIT ${rows}`, values: [] })

/** Where a read of changes goes on: at the last row's time, and its key's first column. */
export interface Place {
  changedAt: string
  key: string
}

/** Rows from a time or a row on, in the order of their changes. */
export function selectChanges(
  system: System,
  view: View,
  columns: ColumnSpellings,
  { changed, from, after }: { changed: string; from: string | null; after: Place | null },
): Statement {
  const { quote, parameter } = system.dialect
  const quoted = (column: string) => quote(columns.get(column)!)
  const at = quoted(changed)
  const key = view.key.map(quoted)
  const order = ` ORDER BY ${[at, ...key].join(', ')}`
  const select = selectOf(system, view, columns)
  if (after) {
    const { changedAt, key: value } = after
    const [first, second, third] = [1, 2, 3].map(parameter)
    // Not later than, because a database may take two keys for the same; what is read twice does no harm.
    const where = ` WHERE ${at} >= ${first} AND (${at} > ${second} OR ${key[0]} >= ${third})`
    return { sql: select + where + order, values: [changedAt, changedAt, value] }
  }
  if (from === null) return { sql: select + order, values: [] }
  return { sql: `${select} WHERE ${at} >= ${parameter(1)}${order}`, values: [from] }
}

const selectOf = (system: System, view: View, columns: ColumnSpellings) =>
  `SELECT ${[...columns.values()].map(system.dialect.quote).join(', ')} FROM ${system.quoted(view)}`
