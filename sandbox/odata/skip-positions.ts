import type { Query } from './query.ts'
import type { EntitySet } from './set.ts'

const MAX_ENTRIES = 200

/** End positions of pages, so that the next `$skip` does not count all rows again. */
export class SkipPositions {
  readonly #positions = new WeakMap<EntitySet, Map<string, number>>()

  get(set: EntitySet, query: Query, skip: number): number | undefined {
    return this.#positions.get(set)?.get(keyOf(set, query, skip))
  }

  put(set: EntitySet, query: Query, skip: number, position: number): void {
    const positions = this.#positions.get(set) ?? new Map<string, number>()
    this.#positions.set(set, positions)
    if (positions.size >= MAX_ENTRIES) positions.delete(positions.keys().next().value!)
    positions.set(keyOf(set, query, skip), position)
  }
}

/** Contains the size, because positions change when the set grows. */
const keyOf = (set: EntitySet, { filterText, order }: Query, skip: number) =>
  `${set.size()}\n${skip}\n${filterText}\n${JSON.stringify(order)}`
