// Asking for the rows of many keys in few requests.
import { literal } from './query.ts'

/** Characters of a condition; encoded it is up to twice as long. */
const MAX_CONDITION = 1_800
/** Keys that are not asked for between two that are, at most, for which one range is cheaper. */
const MAX_GAP = 20

/**
 * Conditions that together cover all keys, and perhaps others between them: numbers that stand close
 * together become ranges. The caller drops what it did not ask for.
 */
export function conditionsFor(field: string, keys: Iterable<string>): string[] {
  const parts = clustersOf([...new Set(keys)]).map(([first, last]) =>
    first === last ? `${field} eq ${literal(first)}` : `(${rangeOf(field, first, last)})`,
  )
  const conditions: string[] = []
  let condition = ''
  for (const part of parts) {
    if (condition && condition.length + part.length > MAX_CONDITION) {
      conditions.push(condition)
      condition = ''
    }
    condition += condition ? ` or ${part}` : part
  }
  if (condition) conditions.push(condition)
  return conditions
}

/** Both ends included. */
export const rangeOf = (field: string, first: string, last: string): string =>
  `${field} ge ${literal(first)} and ${field} le ${literal(last)}`

function clustersOf(keys: string[]): [first: string, last: string][] {
  const clusters: [string, string][] = []
  for (const key of keys.sort()) {
    const cluster = clusters.at(-1)
    if (cluster && isNear(cluster[1], key)) cluster[1] = key
    else clusters.push([key, key])
  }
  return clusters
}

/** Alike but for a number at their end, of as many digits, and not far apart. */
function isNear(lower: string, higher: string): boolean {
  if (lower.length !== higher.length) return false
  let same = 0
  while (lower[same] === higher[same]) same++
  const [from, to] = [lower.slice(same), higher.slice(same)]
  return /^\d{1,9}$/.test(from) && /^\d{1,9}$/.test(to) && Number(to) - Number(from) <= MAX_GAP
}
