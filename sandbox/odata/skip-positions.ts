import type { Query } from './query.ts'
import type { EntitySet } from './set.ts'

const MAX_ENTRIES = 200

/** Where pages that were counted off ended, so that the next `$skip` need not count again. */
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

/** A set that has grown is another one. */
const keyOf = (set: EntitySet, { filterText, order }: Query, skip: number) =>
  `${set.size()}\n${skip}\n${filterText}\n${JSON.stringify(order)}`
