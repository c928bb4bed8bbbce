import { columnsNamed } from './names.ts'
import { TableRefused } from './refusal.ts'

/** The columns that a file must have, and those that are read too. */
export interface WantedColumns {
  required: readonly string[]
  /** Those that it must have instead where it is of another form. */
  or?: readonly string[] | undefined
  optional: readonly string[]
}

/** Where the columns of a file are. */
export interface FoundColumns {
  /** The index of each known column. */
  columns: Map<string, number>
  /** The names in the file of columns that it calls otherwise. */
  renamed: Map<string, string>
  /** Columns that nobody reads, and those that they could be. */
  unread: { name: string; meant: string[] }[]
}

/**
 * Finds columns by their names. Other words for them count only where a required one would be missing, so that a column
 * that was never read does not suddenly change what is known.
 * @param written the names as they stand in the file, without blanks around them
 * @throws TableRefused missing_column | duplicate_column | ambiguous_column
 */
export function findColumns(
  written: string[],
  { required: first, or = first, optional }: WantedColumns,
  line: number,
): FoundColumns {
  const known = [...first, ...or, ...optional]
  const names = written.map((name) => name.toLowerCase())
  const lackedBy = (form: readonly string[]) => form.filter((name) => !names.includes(name)).length
  const required = lackedBy(or) < lackedBy(first) ? or : first
  const columns = new Map<string, number>()
  names.forEach((name, index) => {
    if (!known.includes(name)) return
    if (columns.has(name)) {
      throw new TableRefused('duplicate_column', `there are two columns ${name}`, line)
    }
    columns.set(name, index)
  })
  const renamed = new Map<string, string>()
  if (required.some((name) => !columns.has(name))) {
    const others = findRenamed(names, columns, known)
    for (const name of required) if (!columns.has(name)) refuseSeveral(name, others, written, line)
    // Those that it must have come first: one name is not two columns.
    const wanted = [...others].sort(([a], [b]) => rank(required, a) - rank(required, b))
    for (const [name, [index, ...more]] of wanted) {
      if (index === undefined || more.length) continue
      const other = [...renamed.keys()].find((each) => columns.get(each) === index)
      if (other && required.includes(name)) throw twoInOne(written[index]!, [other, name], line)
      if (other) continue
      columns.set(name, index)
      renamed.set(name, written[index]!)
    }
  }
  const missing = required.filter((name) => !columns.has(name))
  if (missing.length) throw missingColumns(missing, written, line)
  const read = new Set(columns.values())
  const unread = written.flatMap((name, index) => {
    if (read.has(index) || !name) return []
    return [{ name, meant: columnsNamed(name).filter((each) => isMissing(each, known, columns)) }]
  })
  return { columns, renamed, unread }
}

/** The indices at which each column that is not found by its own name may be. */
function findRenamed(names: string[], columns: Map<string, number>, known: string[]) {
  const taken = new Set(columns.values())
  const meant = new Map<number, string[]>()
  names.forEach((name, index) => {
    if (taken.has(index)) return
    meant.set(
      index,
      columnsNamed(name).filter((each) => isMissing(each, known, columns)),
    )
  })
  // A name that can stand for two columns stands for the one that no other name can stand for.
  const sure = new Set([...meant.values()].flatMap((all) => (all.length === 1 ? all : [])))
  const places = new Map<string, number[]>()
  for (const [index, all] of meant) {
    const rest = all.length > 1 ? all.filter((each) => !sure.has(each)) : all
    for (const name of rest) places.set(name, [...(places.get(name) ?? []), index])
  }
  return places
}

const isMissing = (name: string, known: string[], columns: Map<string, number>) =>
  known.includes(name) && !columns.has(name)

const rank = (required: readonly string[], name: string) => (required.includes(name) ? 0 : 1)

function twoInOne(written: string, names: string[], line: number): TableRefused {
  const message = `${written} can be the column ${names.join(' and the column ')}: rename it to one of them`
  return new TableRefused('ambiguous_column', message, line)
}

function refuseSeveral(
  name: string,
  places: Map<string, number[]>,
  written: string[],
  line: number,
): void {
  const those = places.get(name) ?? []
  if (those.length < 2) return
  const listed = those.map((index) => written[index]).join(' and ')
  const message = `${listed} can both be the column ${name}: rename the right one to ${name}`
  throw new TableRefused('ambiguous_column', message, line)
}

const MAX_LISTED = 300

function missingColumns(missing: string[], written: string[], line: number): TableRefused {
  const found = written.filter(Boolean).join(', ')
  const listed = found.length > MAX_LISTED ? `${found.slice(0, MAX_LISTED)}…` : found
  const what =
    missing.length === 1
      ? `there is no column ${missing[0]}`
      : `there are no columns ${missing.join(', ')}`
  const message = `${what}; this line names ${listed || 'none'}`
  return new TableRefused('missing_column', message, line)
}
