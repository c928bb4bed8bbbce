import type { RecordOf } from '../records.ts'
import type { Exact } from '../rows/decimals.ts'
import { type BadValue, mapAbout } from '../rows/bad-value.ts'
import { codeOf, numberOf } from '../rows/values.ts'

/** SAP's stock types by use; others are ignored. */
const TYPES = {
  onHand: ['01'],
  inInspection: ['02'],
  blocked: ['07'],
  /** In transfer or in transit between two plants. */
  inTransit: ['05', '06'],
} as const

/** Stock of one pair, summed over its storage locations and batches. */
export interface PairStock {
  sku: string
  location: string
  byType: Map<string, Exact>
  problem: BadValue | null
}

/** Negative unrestricted stock, where more was posted out than in, is none on hand, and backorders. */
export const toStock = (pair: PairStock): RecordOf<'stock'> =>
  mapAbout(pair.sku, pair.location, () => stockOf(pair))

function stockOf({ sku, location, byType, problem }: PairStock): RecordOf<'stock'> {
  if (problem) throw problem
  const netOf = (types: readonly string[]) => {
    const sum = types.reduce((total, type) => total + (byType.get(type) ?? 0n), 0n)
    return numberOf(sum, 'MatlWrhsStkQtyInMatlBaseUnit')
  }
  const sumOf = (types: readonly string[]) => Math.max(0, netOf(types))
  const onHand = netOf(TYPES.onHand)
  return {
    sku: codeOf(sku, 'Material'),
    location: codeOf(location, 'Plant'),
    onHand: Math.max(0, onHand),
    ...(onHand < 0 && { backorders: -onHand }),
    inInspection: sumOf(TYPES.inInspection),
    blocked: sumOf(TYPES.blocked),
    inTransit: sumOf(TYPES.inTransit),
  }
}
