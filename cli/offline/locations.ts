import {
  contextsOf,
  EMPTY_CONTEXT,
  type EpochDay,
  type LocationContext,
} from '../../engine/index.ts'
import { type Histories, historyOf } from './histories.ts'
import type { Pair } from './pairs.ts'

/** The locations of a file, by number. */
export interface Locations {
  /** The number of each pair's location. */
  ofPair: Int32Array
  /** The locations' contexts as of a day, by number. */
  contextsAsOf: (asOf: EpochDay) => LocationContext[]
}

export function locationsOf(pairs: Pair[], histories: Histories): Locations {
  const names = [...new Set(pairs.map(({ location }) => location))]
  const numbers = new Map(names.map((name, number) => [name, number]))
  return {
    ofPair: Int32Array.from(pairs, ({ location }) => numbers.get(location)!),
    contextsAsOf(asOf) {
      const contexts = contextsOf(withHistories(pairs, histories), asOf)
      return names.map((name) => contexts.get(name) ?? EMPTY_CONTEXT)
    },
  }
}

function* withHistories(pairs: Pair[], histories: Histories) {
  for (let pair = 0; pair < pairs.length; pair++)
    yield { location: pairs[pair]!.location, history: historyOf(histories, pair) }
}
