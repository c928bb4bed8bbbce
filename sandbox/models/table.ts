import type { ModelRecord, Predicate } from './predicate.ts'

/** What is known of the wanted records before they are made. */
export interface Hints {
  /** Only records with a higher number. */
  after: number
  /** Of a field only these values, or objects with these numbers. */
  sets: ReadonlyMap<string, ReadonlySet<unknown>>
  /** Of a field only what is not below this value. */
  from: ReadonlyMap<string, unknown>
}

/** The records of a model in the order of their numbers. */
export interface Table {
  fields: readonly string[]
  rows(hints: Hints): Iterable<ModelRecord>
}

export const NO_HINTS: Hints = { after: 0, sets: new Map(), from: new Map() }

/**
 * Makes records when they are asked for.
 * @param fields all that may be asked for
 * @param source in the order of the records' numbers
 * @param keys what is known of a record before it is made; its `id` at least
 */
export const tableOf = <T>(
  fields: readonly string[],
  source: () => Iterable<T>,
  keys: { id: (each: T) => number } & Record<string, (each: T) => unknown>,
  toRow: (each: T) => Omit<ModelRecord, 'id'>,
): Table => ({
  fields,
  *rows({ after, sets }) {
    const known = Object.entries(keys).flatMap(([field, keyOf]) => {
      const set = sets.get(field)
      return set ? [{ keyOf, set }] : []
    })
    for (const each of source()) {
      const id = keys.id(each)
      if (id <= after || !known.every(({ keyOf, set }) => set.has(keyOf(each)))) continue
      yield { ...toRow(each), id }
    }
  },
})

export interface Selection {
  predicate: Predicate
  hints: Hints
  limit: number
  newestFirst: boolean
}

/** The first records that fulfil a condition. */
export function select(
  table: Table,
  { predicate, hints, limit, newestFirst }: Selection,
): ModelRecord[] {
  const found: ModelRecord[] = []
  for (const row of table.rows(hints)) {
    if (!predicate(row)) continue
    found.push(row)
    if (!newestFirst && found.length >= limit) return found
  }
  return newestFirst ? found.reverse().slice(0, limit) : found
}
