// Tryton's domains: a list whose parts must all hold, or one of which where it begins with `OR`.
import { conditionOf } from '../models/predicate.ts'
import type { Predicate } from '../models/predicate.ts'
import type { Hints } from '../models/table.ts'
import { fromWire } from './values.ts'

export type TrytonDomain = readonly unknown[]

const isCondition = (part: TrytonDomain) =>
  typeof part[0] === 'string' && part[0] !== 'OR' && part[0] !== 'AND'

export function predicateOf(domain: TrytonDomain): Predicate {
  if (isCondition(domain)) return conditionOf(domain as [string, string, unknown], fromWire)
  const isAny = domain[0] === 'OR'
  const parts = (typeof domain[0] === 'string' ? domain.slice(1) : domain).map((part) =>
    predicateOf(part as TrytonDomain),
  )
  return isAny
    ? (row) => parts.some((part) => part(row))
    : (row) => parts.every((part) => part(row))
}

export function hintsOf(domain: TrytonDomain): Hints {
  const [sets, from] = [new Map<string, Set<unknown>>(), new Map<string, unknown>()]
  let after = 0
  for (const part of domain as TrytonDomain[]) {
    // Of alternatives about times the earliest counts: they are all of one row.
    if (part[0] === 'OR') {
      const times = part.slice(1).map((each) => timeOf(each as TrytonDomain))
      if (times.every((each) => each)) from.set('changed', times[0])
      continue
    }
    const [field, operator, value] = part as [string, string, unknown]
    if (field === 'id' && operator === '>') after = Number(value)
    if (operator === 'in') sets.set(field, new Set(value as unknown[]))
  }
  return { after, sets, from }
}

function timeOf(domain: TrytonDomain): unknown {
  const [field, operator, value] = (isCondition(domain) ? domain : domain[0]) as unknown[]
  return operator === '>=' && /^(create|write)_date$/.test(String(field)) && fromWire(value)
}
