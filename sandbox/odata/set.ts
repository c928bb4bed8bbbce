/** Edm types as the wire formats tell them apart. `Date` is V4's day, `DateTime` V2's. */
export type Edm =
  'String' | 'Boolean' | 'Decimal' | 'Int' | 'DateTime' | 'DateTimeOffset' | 'Time' | 'Date'

/** Decimals are text, times `PT…`, days and instants milliseconds since 1970. */
export type Value = string | number | boolean | null

export interface Field {
  name: string
  edm: Edm
  filterable: boolean
  sortable: boolean
}

/** Reads one slot after the other; the functions that it gives out tell about the slot loaded last. */
export interface Rows {
  /** False where the slot has no row; its key values are valid all the same. */
  load(slot: number): boolean
  value(field: string): () => Value
  /** Faster than `value`: the text as it stands in V2's JSON, within its quotes. */
  raw?(field: string): (() => string) | undefined
  /** The whole JSON value in V2 where it is the same in all rows. */
  constant?(field: string): string | undefined
  /** The slots [from, to) of the rows below the loaded one. */
  children?(navigation: string): [number, number]
}

/** Bounds of a field that a filter implies, inclusive; null for none. */
export type Interval = [low: Value, high: Value]
export type IntervalOf = (field: string) => Interval

export interface EntitySet {
  name: string
  type: string
  keys: string[]
  /** Whether key values need no encoding in an address. */
  plainKeys?: boolean
  fields: Map<string, Field>
  /** Number of slots; rows are in them in the order of their keys, some may be empty. */
  size(): number
  open(): Rows
  /** The slots that can hold rows within the interval, where the set can tell. */
  ranges?(interval: IntervalOf): [number, number][]
  navigations: Record<string, EntitySet>
}

export interface Service {
  /** Technical name, as in its scope. */
  name: string
  /** Path of the service without a closing slash. */
  path: string
  version: 2 | 4
  sets: Map<string, EntitySet>
}
