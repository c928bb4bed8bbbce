/** Edm types that differ in JSON. `Date` is a day in V4, `DateTime` in V2. */
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

/** Reads slots; the functions that it returns read the slot loaded last. */
export interface Rows {
  /** False where the slot has no row; its key values are valid nevertheless. */
  load(slot: number): boolean
  value(field: string): () => Value
  /** Faster than `value`: the V2 JSON text within its quotes. */
  raw?(field: string): (() => string) | undefined
  /** The V2 JSON value of a field that is the same in all rows. */
  constant?(field: string): string | undefined
  /** The slots [from, to) of the rows below the loaded one. */
  children?(navigation: string): [number, number]
}

/** Bounds of a field that a filter implies, inclusive; null for none. */
export type Interval = [low: Value, high: Value]
export type IntervalsOf = (field: string) => Interval[]

/** Slots [from, to). */
export type SlotRange = [from: number, to: number]

export interface EntitySet {
  name: string
  type: string
  keys: string[]
  /** Whether key values need no URL encoding. */
  hasPlainKeys?: boolean
  fields: Map<string, Field>
  /** Number of slots; rows are in key order, and some slots may be empty. */
  size(): number
  open(): Rows
  /** The same slots, faster: only their keys can be read. */
  openKeys?(): Rows
  /** The slots that may contain rows of the intervals, where the set can compute them. */
  ranges?(intervals: IntervalsOf): SlotRange[]
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
