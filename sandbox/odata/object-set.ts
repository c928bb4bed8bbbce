// Entity sets whose rows are objects: all except material documents and deliveries.
import type { Edm, EntitySet, Field, Rows, Value } from './set.ts'

export type Row = Record<string, Value>

/** Changed rows by key text; null for a removed row. */
export interface Patches {
  get(set: string): Map<string, Row | null> | undefined
  /** Incremented by every change. */
  version(): number
}

export interface ObjectSetSpec {
  name: string
  type?: string
  /** `'Product Plant'` */
  keys: string
  /** `'Product Plant | Decimal: A B | Boolean: C'`; fields without a type are text. */
  fields: string
  notSortable?: boolean
  notFilterable?: string[]
  size(): number
  /** The keys of a slot, where they can be had without its row. */
  key?(slot: number): Row
  /** The row of a slot; keys must ascend with the slots. */
  build(slot: number): Row
  /** Fields that can be had without the slot's row; for filters that many rows do not meet. */
  quick?: Record<string, (slot: number) => Value>
  /** Whether the slot has a row; default true. */
  hasRow?(slot: number): boolean
}

export const keyText = (keys: string[], row: Row) => keys.map((key) => String(row[key])).join('\n')

export function objectSet(spec: ObjectSetSpec, patches: Patches): EntitySet {
  const keys = spec.keys.split(' ')
  const fields = parseFields(spec)
  const overlay = new Overlay(spec, keys, patches)
  return {
    name: spec.name,
    type: spec.type ?? `${spec.name}Type`,
    keys,
    fields,
    navigations: {},
    size: () => spec.size() + overlay.added().length,
    open: () => openRows(spec, keys, fields, overlay),
    ...(spec.key && { openKeys: () => openKeys(spec, overlay) }),
  }
}

function openRows(
  spec: ObjectSetSpec,
  keys: string[],
  fields: Map<string, Field>,
  overlay: Overlay,
): Rows {
  let at = 0
  /** Null until a value of the slot is read. */
  let row: Row | null = null
  return {
    load(slot) {
      const added = overlay.at(slot)
      row = null
      if (typeof added !== 'number') {
        row = added
        return true
      }
      at = added
      const patches = overlay.patches()
      const patch = patches?.get(keyText(keys, spec.key?.(at) ?? (row = spec.build(at))))
      if (patch === null) return false
      if (patch) row = { ...(row ?? spec.build(at)), ...patch }
      return patch !== undefined || (spec.hasRow?.(at) ?? true)
    },
    value: (name) => {
      const initial = INITIAL[fields.get(name)!.edm]
      const quick = spec.quick?.[name]
      return () => {
        if (quick && row === null) return quick(at)
        const value = (row ??= spec.build(at))[name]
        return value === undefined ? initial : value
      }
    },
  }
}

function openKeys({ key }: ObjectSetSpec, overlay: Overlay): Rows {
  let row: Row = {}
  return {
    load(slot) {
      const added = overlay.at(slot)
      row = typeof added === 'number' ? key!(added) : added
      return true
    },
    value: (name) => () => row[name]!,
  }
}

const INITIAL: Record<Edm, Value> = {
  String: '',
  Boolean: false,
  Decimal: '0',
  Int: 0,
  DateTime: null,
  DateTimeOffset: null,
  Time: 'PT00H00M00S',
  Date: null,
}

function parseFields({ fields, notSortable, notFilterable = [] }: ObjectSetSpec) {
  const parsed = new Map<string, Field>()
  for (const part of fields.split('|')) {
    const [, edm = 'String', names = ''] = /^\s*(?:(\w+):)?(.*)$/s.exec(part) ?? []
    for (const name of names.trim().split(/\s+/)) {
      const filterable = !notFilterable.includes(name)
      parsed.set(name, { name, edm: edm as Edm, filterable, sortable: !notSortable && filterable })
    }
  }
  return parsed
}

/** Added rows, each with the slot before which it is sorted. */
class Overlay {
  readonly #spec: ObjectSetSpec
  readonly #keys: string[]
  readonly #source: Patches
  #version = -1
  #added: { slot: number; row: Row }[] = []

  constructor(spec: ObjectSetSpec, keys: string[], source: Patches) {
    this.#spec = spec
    this.#keys = keys
    this.#source = source
  }

  patches() {
    return this.#source.get(this.#spec.name)
  }

  added() {
    if (this.#version !== this.#source.version()) {
      this.#version = this.#source.version()
      this.#added = this.#collect()
    }
    return this.#added
  }

  /** An added row or a slot. */
  at(slot: number): Row | number {
    const added = this.added()
    let low = 0
    let high = added.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (added[middle]!.slot < slot) low = middle + 1
      else high = middle
    }
    const found = added[low]
    return found?.slot === slot ? { ...found.row } : slot - low
  }

  #collect() {
    const added: { slot: number; row: Row }[] = []
    for (const row of this.patches()?.values() ?? []) {
      if (!row) continue
      const slot = this.#lowerBound(row)
      const exists = slot < this.#spec.size() && this.#compare(this.#keyOf(slot), row) === 0
      if (!exists) added.push({ slot, row })
    }
    added.sort((a, b) => a.slot - b.slot || this.#compare(a.row, b.row))
    return added.map(({ slot, row }, before) => ({ slot: slot + before, row }))
  }

  #keyOf(slot: number): Row {
    return this.#spec.key?.(slot) ?? this.#spec.build(slot)
  }

  #lowerBound(row: Row): number {
    let low = 0
    let high = this.#spec.size()
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#compare(this.#keyOf(middle), row) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  #compare(a: Row, b: Row): number {
    for (const key of this.#keys) if (a[key] !== b[key]) return a[key]! < b[key]! ? -1 : 1
    return 0
  }
}
