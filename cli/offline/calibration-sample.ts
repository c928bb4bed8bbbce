import type { DemandHistory, EpochDay, LocationContext, SampledSeries } from '../../engine/index.ts'
import { type Histories, historyOf } from './histories.ts'

const MOST = 250
/** Sales, and days since the first one, for a series to have a past worth looking at. */
const FEWEST_SALES = 3
const FEWEST_DAYS = 84
const RECENT_DAYS = 365

/** Some series of a file, evenly spread over it, to learn from their past. */
export function calibrationSample(
  histories: Histories,
  asOf: EpochDay,
  contextOf: (pair: number) => LocationContext,
): SampledSeries[] {
  const eligible: number[] = []
  for (let pair = 0; pair < histories.starts.length - 1; pair++)
    if (hasPast(historyOf(histories, pair), asOf)) eligible.push(pair)
  const count = Math.min(MOST, eligible.length)
  return Array.from({ length: count }, (_, i) => {
    const pair = eligible[Math.floor((i * eligible.length) / count)]!
    return { history: historyOf(histories, pair), context: contextOf(pair) }
  })
}

function hasPast({ days }: DemandHistory, asOf: EpochDay): boolean {
  let known = days.length
  while (known > 0 && days[known - 1]! >= asOf) known--
  if (known < FEWEST_SALES) return false
  return days[0]! <= asOf - FEWEST_DAYS && days[known - 1]! >= asOf - RECENT_DAYS
}
