// Asking for the rows of many keys in few requests.
import { textLiteral } from './query.ts'

/** Characters of a condition; encoded it is up to twice as long. */
const MAX_CONDITION = 1_800
/** Keys that are not asked for between two that are, at most, for which one range is cheaper. */
const MAX_GAP = 20

/** A filter for some keys. */
export interface Condition {
  filter: string
  /** Whether the rows of a key are among those that are asked for. */
  covers(key: string): boolean
}

/**
 * Conditions that together cover all keys, and perhaps others between them: numbers that stand close
 * together become ranges. The caller drops what it did not ask for.
 */
export function conditionsFor(field: string, keys: Iterable<string>): Condition[] {
  const conditions: { filter: string; clusters: Cluster[] }[] = []
  for (const cluster of clustersOf([...new Set(keys)])) {
    const [first, last] = cluster
    const part =
      first === last ? `${field} eq ${textLiteral(first)}` : `(${rangeOf(field, first, last)})`
    const condition = conditions.at(-1)
    if (condition && condition.filter.length + part.length <= MAX_CONDITION) {
      condition.filter += ` or ${part}`
      condition.clusters.push(cluster)
    } else conditions.push({ filter: part, clusters: [cluster] })
  }
  return conditions.map(({ filter, clusters }) => ({
    filter,
    covers: (key) => clusters.some(([first, last]) => key >= first && key <= last),
  }))
}

/** Both ends included. */
export const rangeOf = (field: string, first: string, last: string): string =>
  `${field} ge ${textLiteral(first)} and ${field} le ${textLiteral(last)}`

type Cluster = [first: string, last: string]

function clustersOf(keys: string[]): Cluster[] {
  const clusters: Cluster[] = []
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
