// Reads the rows of many keys in few requests.
import { textLiteral } from './query.ts'

/** Longest condition in characters of its URL encoding, so that addresses stay well below 8 kB. */
const MAX_CONDITION = 6_000
const OR = ' or '

/**
 * The largest difference of two keys' numbers at which they become one range. A history has any number of rows
 * between two wanted keys, so `consecutive` asks for the wanted ones alone; where most keys are wanted, ranges that are
 * `dense` fill pages with a few rows in vain; of master data, where a key has a row or two, ranges with `gaps` take
 * fewer requests.
 */
export const DISTANCE = { consecutive: 1, dense: 8, gaps: 20 } as const

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
export function conditionsFor(
  field: string,
  keys: Iterable<string>,
  distance: number = DISTANCE.consecutive,
): Condition[] {
  const conditions: { filter: string; length: number; clusters: Cluster[] }[] = []
  for (const cluster of clustersOf([...new Set(keys)], distance)) {
    const [first, last] = cluster
    const part =
      first === last ? `${field} eq ${textLiteral(first)}` : `(${rangeOf(field, first, last)})`
    const length = encodeURIComponent(OR + part).length
    const condition = conditions.at(-1)
    if (condition && condition.length + length <= MAX_CONDITION) {
      condition.filter += OR + part
      condition.length += length
      condition.clusters.push(cluster)
    } else conditions.push({ filter: part, length, clusters: [cluster] })
  }
  return conditions.map(({ filter, clusters }) => ({
    filter,
    covers: (key) => clusters.some((cluster) => isWithin(cluster, key)),
  }))
}

/** From the first to the last key, both included. */
export const rangeOf = (field: string, first: string, last: string): string =>
  `${field} ge ${textLiteral(first)} and ${field} le ${textLiteral(last)}`

/** Keys that lie near each other. */
export type Cluster = [first: string, last: string]

/** Some systems order and compare keys without regard to case. */
const CASELESS = new Intl.Collator('en', { sensitivity: 'base' })

export const isIn = ([first, last]: Cluster, key: string): boolean => key >= first && key <= last

const isWithin = ([first, last]: Cluster, key: string): boolean =>
  isIn([first, last], key) ||
  (CASELESS.compare(first, key) <= 0 && CASELESS.compare(key, last) <= 0)

/** @param distance of the numbers of two keys that are in one cluster */
export function clustersOf(keys: readonly string[], distance: number): Cluster[] {
  const clusters: Cluster[] = []
  for (const key of keys.toSorted()) {
    const cluster = clusters.at(-1)
    if (cluster && isNear(cluster[1], key, distance)) cluster[1] = key
    else clusters.push([key, key])
  }
  return clusters
}

/** Whether two keys differ only in a final number of the same length, and by little. */
function isNear(lower: string, higher: string, distance: number): boolean {
  if (lower.length !== higher.length) return false
  let same = 0
  while (lower[same] === higher[same]) same++
  const [from, to] = [lower.slice(same), higher.slice(same)]
  return /^\d{1,9}$/.test(from) && /^\d{1,9}$/.test(to) && Number(to) - Number(from) <= distance
}
