import { contextsOf, EMPTY_CONTEXT, learningSample } from '../../engine/index.ts'
import type { Booking, EpochDay, HolidaysAt, LocationContext } from '../../engine/index.ts'
import { type Histories, historyOf, sharedInts } from './histories.ts'
import type { Pair } from './pairs.ts'

/** The locations of a file, by number. */
export interface Locations {
  names: string[]
  /** The number of each pair's location. */
  ofPair: Int32Array
  /** The pairs that the file learns from, in natural order: those that the service would take. */
  sample: number[]
  /** The locations' contexts as of a day, by number. */
  contextsAsOf: (asOf: EpochDay) => LocationContext[]
}

export interface LocationsOptions {
  /** How demand is booked, where that is said and not to be found. */
  booking?: Booking | undefined
  holidaysAt?: HolidaysAt | undefined
}

export function locationsOf(
  pairs: Pair[],
  histories: Histories,
  said: LocationsOptions = {},
): Locations {
  const names = [...new Set(pairs.map(({ location }) => location))]
  const numbers = new Map(names.map((name, number) => [name, number]))
  const { starts } = histories
  const sample = learningSample(pairs.map((pair, number) => ({ ...pair, number }))).filter(
    ({ number }) => starts[number + 1]! > starts[number]!,
  )
  const ofPair = sharedInts(pairs.length)
  pairs.forEach(({ location }, number) => (ofPair[number] = numbers.get(location)!))
  return {
    names,
    ofPair,
    sample: sample.map(({ number }) => number),
    contextsAsOf(asOf) {
      const series = sample.map(({ location, number }) => ({
        location,
        history: historyOf(histories, number),
      }))
      const contexts = contextsOf(series, asOf, said.booking, said.holidaysAt)
      return names.map((name) => contexts.get(name) ?? EMPTY_CONTEXT)
    },
  }
}
