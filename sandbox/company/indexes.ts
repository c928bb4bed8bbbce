// What reads of a company look things up by; made anew only where its items, or where they are, have changed.
import type { Company } from './company.ts'

/** Items in the order of their codes. */
export const itemsByCode = remember(({ items }) =>
  items.toSorted((a, b) => (a.code < b.code ? -1 : 1)),
)

export const pairsByItem = remember(({ pairs }) => Map.groupBy(pairs, ({ item }) => item))

/** Pairs in the order of their items' numbers. */
export const pairsById = remember(({ pairs }) =>
  pairs.toSorted((a, b) => a.item.id - b.item.id || a.location.id - b.location.id),
)

function remember<T>(make: (company: Company) => T): (company: Company) => T {
  const made = new WeakMap<Company, { revision: number; value: T }>()
  return (company) => {
    const { revision } = company
    const known = made.get(company)
    if (known?.revision === revision) return known.value
    const value = make(company)
    made.set(company, { revision, value })
    return value
  }
}
