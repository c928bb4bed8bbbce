// Odoo's domains: conditions in Polish notation, all of which must hold.
import { conditionOf } from '../models/predicate.ts'
import type { Predicate } from '../models/predicate.ts'
import type { Hints } from '../models/table.ts'

type Term = '|' | '&' | '!' | readonly [string, string, unknown]

export function predicateOf(domain: readonly Term[]): Predicate {
  let at = 0
  const next = (): Predicate => {
    const term = domain[at++]
    if (term === undefined) throw new RangeError('The domain ends too early.')
    if (term === '!') {
      const one = next()
      return (row) => !one(row)
    }
    if (term === '|' || term === '&') {
      const [left, right] = [next(), next()]
      return term === '|' ? (row) => left(row) || right(row) : (row) => left(row) && right(row)
    }
    return conditionOf(term, (value) => value)
  }
  const all: Predicate[] = []
  while (at < domain.length) all.push(next())
  return (row) => all.every((each) => each(row))
}

/** What the conditions say that stand by themselves. */
export function hintsOf(domain: readonly Term[]): Hints {
  const [sets, from] = [new Map<string, Set<unknown>>(), new Map<string, unknown>()]
  let after = 0
  /** Terms that belong to operators read so far. */
  let inside = 0
  for (const term of domain) {
    if (typeof term === 'string') {
      inside = Math.max(inside - 1, 0) + (term === '!' ? 1 : 2)
      continue
    }
    if (inside > 0) {
      inside--
      continue
    }
    const [field, operator, value] = term
    if (field === 'id' && operator === '>') after = Number(value)
    if (operator === 'in') sets.set(field, new Set(value as unknown[]))
    if (operator === '>=') from.set(field, value)
  }
  return { after, sets, from }
}
