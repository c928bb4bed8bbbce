// Reads the rows of many keys in few requests.
import { textLiteral } from './query.ts'

/** Longest condition in characters; its URL encoding is up to twice as long. */
const MAX_CONDITION = 1_800
/** Two keys with at most this many unwanted numbers between them become one range. */
const MAX_GAP = 20

/** A filter for some keys. */
export interface Condition {
  filter: string
  /** Whether the condition covers a key. */
  covers(key: string): boolean
}

/**
 * Conditions that together cover all keys. Keys with close numbers become ranges, so rows of other keys
 * may come too; the caller drops them.
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

/** From the first to the last key, both included. */
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

/** Whether two keys differ only in a final number of the same length, and by little. */
function isNear(lower: string, higher: string): boolean {
  if (lower.length !== higher.length) return false
  let same = 0
  while (lower[same] === higher[same]) same++
  const [from, to] = [lower.slice(same), higher.slice(same)]
  return /^\d{1,9}$/.test(from) && /^\d{1,9}$/.test(to) && Number(to) - Number(from) <= MAX_GAP
}
