import {
  calibrationSample as choose,
  type EpochDay,
  type LocationContext,
  type SampledSeries,
} from '../../engine/index.ts'
import { type Histories, historyOf } from './histories.ts'

/** A sample of the series, evenly spread over the file, for the calibration. */
export function calibrationSample(
  histories: Histories,
  asOf: EpochDay,
  contextOf: (pair: number) => LocationContext,
): SampledSeries[] {
  const pairs = Array.from({ length: histories.starts.length - 1 }, (_, pair) => pair)
  const chosen = choose(pairs, (pair) => historyOf(histories, pair), asOf)
  return chosen.map((pair) => ({
    history: historyOf(histories, pair),
    context: contextOf(pair),
  }))
}
