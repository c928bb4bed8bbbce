import { floorTo } from '../inventory/lots.ts'
import { sellableUnits, spareUnits } from './spare.ts'
import { urgencyRank } from './urgency.ts'
import type { RedistributionPair } from './spare.ts'
import type { Days, Units } from '../types.ts'

export interface Transfer {
  from: string
  to: string
  quantity: Units
}

export interface RedistributionRule {
  /** Who gives has so many days of supply above the target stock. */
  surplusDays: Days
  /** No transfer is smaller. */
  minimumQuantity: Units
}

const USUAL: RedistributionRule = { surplusDays: 28, minimumQuantity: 1 }

/**
 * Moves of one SKU from locations with too much to locations that fall short, before anything is
 * bought. Who needs it most urgently gets first; who has the most days too many gives first; nobody
 * gives what the own target needs until the next order can arrive, nor what would expire unsold where it goes to.
 */
export function redistribute(
  pairs: readonly RedistributionPair[],
  rule: RedistributionRule = USUAL,
): Transfer[] {
  const givers = pairs.flatMap((pair) => {
    const { units, days } = spareUnits(pair)
    const enough = units >= rule.minimumQuantity && days > rule.surplusDays
    return enough ? [{ location: pair.location, input: pair.input, units, days, given: 0 }] : []
  })
  givers.sort((a, b) => b.days - a.days || byText(a.location, b.location))
  const transfers: Transfer[] = []
  for (const { location, units, input } of takersOf(pairs)) {
    let open = units
    for (const giver of givers) {
      const promised = { given: giver.given, taken: units - open }
      const sellable = sellableUnits(giver.input, input, promised)
      const quantity = Math.min(open, giver.units, sellable)
      if (giver.location === location || quantity < rule.minimumQuantity) continue
      transfers.push({ from: giver.location, to: location, quantity })
      giver.units -= quantity
      giver.given += quantity
      open -= quantity
    }
  }
  return transfers
}

/** Locations that fall short, the most urgent first, with the whole units they lack and may take. */
function takersOf(pairs: readonly RedistributionPair[]) {
  return pairs
    .flatMap(({ location, input, result }) => {
      if (result.kind !== 'order') return []
      const { netRequirement, limit = Infinity } = result.calculation
      const units = Math.min(Math.ceil(netRequirement - 1e-6), floorTo(limit, 1))
      return units > 0 ? [{ location, units, input, result }] : []
    })
    .sort(
      (a, b) =>
        urgencyRank(a.result.urgency) - urgencyRank(b.result.urgency) ||
        byText(a.result.orderBy ?? '', b.result.orderBy ?? '') ||
        byText(a.location, b.location),
    )
}

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
