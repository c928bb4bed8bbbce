import {
  type Booking,
  contextsOf,
  EMPTY_CONTEXT,
  type EpochDay,
  learningSample,
  type LocationContext,
} from '../../engine/index.ts'
import { type Histories, historyOf } from './histories.ts'
import type { Pair } from './pairs.ts'
import { sharedInts } from './shared-arrays.ts'

/** The locations of a file, by number. */
export interface Locations {
  /** The number of each pair's location. */
  ofPair: Int32Array
  /** The pairs that the file learns from, in natural order: those that the service would take. */
  sample: number[]
  /** The locations' contexts as of a day, by number. */
  contextsAsOf: (asOf: EpochDay) => LocationContext[]
}

/** @param booking how demand is booked, where that is said and not to be found */
export function locationsOf(pairs: Pair[], histories: Histories, booking?: Booking): Locations {
  const names = [...new Set(pairs.map(({ location }) => location))]
  const numbers = new Map(names.map((name, number) => [name, number]))
  const sample = learningSample(pairs.map((pair, number) => ({ ...pair, number })))
  const ofPair = sharedInts(pairs.length)
  pairs.forEach(({ location }, number) => (ofPair[number] = numbers.get(location)!))
  return {
    ofPair,
    sample: sample.map(({ number }) => number),
    contextsAsOf(asOf) {
      const series = sample.map(({ location, number }) => ({
        location,
        history: historyOf(histories, number),
      }))
      const contexts = contextsOf(series, asOf, booking)
      return names.map((name) => contexts.get(name) ?? EMPTY_CONTEXT)
    },
  }
}
