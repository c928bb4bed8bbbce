import { demandQuantile } from '../inventory/demand.ts'
import { floorTo } from '../inventory/lots.ts'
import { supplyBefore } from '../inventory/supply.ts'
import { situationOf } from './situation.ts'
import { wholeTarget } from './sum.ts'
import type { ProposalInput } from './input.ts'
import type { ProposalResult } from './result.ts'
import type { Days, Units } from '../types.ts'

/** A pair as redistribution sees it: its input and what was proposed for it. */
export interface RedistributionPair {
  location: string
  input: ProposalInput
  result: ProposalResult
}

/**
 * What a location can do without: whole units on hand above the target demand until each receipt
 * and above the whole target at the end of the protection interval; and how many days of median
 * demand that is. Open proposals are no supply here: nobody ordered them yet.
 */
export function spareUnits({ input, result }: RedistributionPair): { units: Units; days: Days } {
  const situation = situationOf(input)
  if (result.kind === 'blocked' || situation === null) return { units: 0, days: 0 }
  const { supply, protection } = situation
  const { calculation } = result
  const level = calculation.targetQuantile
  const needUntil = (day: Days) => demandQuantile(input.forecast, day, level)
  const spare = [
    situation.free,
    supplyBefore(supply, protection) - wholeTarget(calculation),
    ...supply.arrivals
      .filter(({ day }) => day < protection)
      .map(({ day }) => supplyBefore(supply, day) - needUntil(day)),
  ]
  const units = Math.max(0, floorTo(Math.min(...spare), 1))
  const daily = calculation.p50 / calculation.horizonDays
  return { units, days: daily > 0 ? units / daily : Infinity }
}

/**
 * The most of what a location gives that is still sold where it goes to: what expires before the order of that one must last is
 * sold there as far as its median demand until then exceeds its own supply. What expires last is given first.
 * @param given that the first has promised to others
 * @param taken that others have promised to the second
 */
export function sellableUnits(
  giver: ProposalInput,
  taker: ProposalInput,
  { given, taken }: { given: Units; taken: Units },
): Units {
  const [from, to] = [situationOf(giver), situationOf(taker)]
  if (from === null || to === null) return 0
  let lasting = from.onHand - given
  let most = Infinity
  for (const { days, quantity } of from.batches) {
    if (days >= to.protection) break
    lasting -= quantity
    const wanted = demandQuantile(taker.forecast, days, 0.5) - supplyBefore(to.supply, days) - taken
    most = Math.min(most, Math.max(0, lasting) + Math.max(0, wanted))
  }
  return floorTo(most, 1)
}
