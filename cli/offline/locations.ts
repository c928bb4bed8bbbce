import {
  contextsOf,
  EMPTY_CONTEXT,
  type EpochDay,
  type LocationContext,
} from '../../engine/index.ts'
import { type Histories, historyOf } from './histories.ts'
import type { Pair } from './pairs.ts'

/** The locations of a file, numbered. */
export interface Locations {
  /** Number of its location by pair. */
  ofPair: Int32Array
  /** Their contexts as of a day, by number. */
  contextsAsOf: (asOf: EpochDay) => LocationContext[]
}

export function locationsOf(pairs: Pair[], histories: Histories): Locations {
  const names = [...new Set(pairs.map(({ location }) => location))]
  const numbers = new Map(names.map((name, number) => [name, number]))
  return {
    ofPair: Int32Array.from(pairs, ({ location }) => numbers.get(location)!),
    contextsAsOf(asOf) {
      const series = pairs.map(({ location }, pair) => ({
        location,
        history: historyOf(histories, pair),
      }))
      const contexts = contextsOf(series, asOf)
      return names.map((name) => contexts.get(name) ?? EMPTY_CONTEXT)
    },
  }
}
