import { amongPairs, type Pair, pairKey } from '../pair.ts'
import { COUNTED } from './supply.ts'

/**
 * Units approved and not yet seen as an order, of pairs that this source leads and another one has too: it was approved
 * while that one led. @param pairs of which alone they are needed
 */
export async function readApprovedElsewhere(
  source: number,
  pairs?: readonly Pair[],
): Promise<(pair: Pair) => number> {
  const rows = (await SELECT.from('restock.Proposals')
    .columns('sku', 'location', 'sum(quantity) as units')
    .where({
      ...{ status: 'approved', flag: COUNTED, 'toSeries.ledBy': source },
      ...amongPairs(pairs),
    })
    .groupBy('sku', 'location')) as (Pair & { units: unknown })[]
  const units = new Map(rows.map((row) => [pairKey(row), Number(row.units)]))
  return (pair) => units.get(pairKey(pair)) ?? 0
}
