import { mix } from './hash.ts'
import { revisionsOf } from './revisions.ts'
import type { World } from './world.ts'

export interface Planning {
  /** Calendar days; 0 where not maintained. */
  deliveryDays: number
  /** Work days. */
  receiptDays: number
  procurement: 'E' | 'F' | 'X'
  /** Thousandths of the base unit; 0 for none. */
  minimumLot: number
  rounding: number
  /** Deletion flag of the plant's view. */
  isFlagged: boolean
}

export function planningOf(world: World, pair: number): Planning {
  const { pairs, demand, seed } = world
  const sku = pairs.skuOf(pair)
  const h = mix(seed, pair, 101)
  const { factor, base } = pairs.unit(sku)
  const fortnight = Math.ceil((demand.rateMilli(pair) * 14) / 1000) * 1000
  const step = base === 'KG' ? 2500 : 5000
  return {
    deliveryDays: h % 5 === 0 ? 0 : 3 + ((h >>> 4) % 26) + revisionsOf(world, sku).revision,
    receiptDays: (h >>> 9) % 4,
    procurement: h % 20 === 7 ? 'E' : h % 20 === 8 ? 'X' : 'F',
    minimumLot: (h >>> 12) % 4 === 0 ? fortnight : 0,
    rounding: (h >>> 14) % 3 === 0 ? (factor > 1 ? factor * 1000 : step) : 0,
    isFlagged: h % 211 === 5,
  }
}
