// Stock by storage location, batch, special stock and type: up to twelve rows per pair.
import { mix } from './hash.ts'
import type { Day } from './days.ts'
import type { Demand } from './demand.ts'
import type { Pairs } from './pairs.ts'

export const STOCK_SLOTS = 12

export interface StockRow {
  location: string
  batch: string
  supplier: string
  order: string
  special: '' | 'E' | 'K'
  type: string
  /** Thousandths of the base unit; null where the row is absent. */
  milli: number | null
  /** Replaces `milli` where the quantity has more than three places. */
  text?: string
}

type Place = Omit<StockRow, 'milli' | 'text'>
const at = (location: string, type: string, more: Partial<Place> = {}): Place => ({
  location,
  batch: '',
  supplier: '',
  order: '',
  special: '',
  type,
  ...more,
})

/** The rows of a pair, in key order. */
const PLACES: Place[] = [
  at('', '06'),
  at('101A', '01'),
  at('101A', '02'),
  at('101A', '07'),
  at('101A', '01', { special: 'E', order: '0000004711' }),
  at('101A', '01', { special: 'K', supplier: '0000100001' }),
  at('101A', '01', { batch: 'B000000001' }),
  at('101A', '01', { batch: 'B000000002' }),
  at('101B', '01'),
  at('101B', '03'),
  at('101B', '04'),
  at('101B', '08'),
]
/** Of this number of pairs, one has a row of each irregular kind. */
const RARITY: Record<number, number> = { 0: 15, 2: 12, 3: 20, 4: 40, 5: 40, 9: 50, 10: 60, 11: 70 }

export function stockRow(
  pairs: Pairs,
  demand: Demand,
  pair: number,
  slot: number,
  today: Day,
): StockRow {
  const place = PLACES[slot]!
  const h = mix(pairs.seed, pair, 51)
  const rarity = RARITY[slot]
  if (rarity !== undefined) {
    const own = mix(pairs.seed, pair, 52, slot)
    return { ...place, milli: own % rarity === 0 ? (1 + ((own >>> 8) % 20)) * 1000 : null }
  }
  const total = unrestricted(pairs, demand, pair, today)
  const batches = h % 10 === 0
  const second = !batches && h % 3 === 0 ? Math.floor((total * 0.3) / 1000) * 1000 : 0
  if (slot === 8 && h % 997 === 0) return { ...place, milli: 0, text: '0.00000000000001' }
  if (slot === 8) return { ...place, milli: second > 0 ? second : null }
  if (slot === 1) {
    const rest = total - second
    return { ...place, milli: batches || (rest === 0 && h & 64) ? null : rest }
  }
  const half = Math.floor(total / 2000) * 1000
  const milli = slot === 6 ? total - half : half
  return { ...place, milli: batches && milli > 0 ? milli : null }
}

/** Unrestricted stock: decreases with each sale and is refilled after some sales. */
function unrestricted(pairs: Pairs, demand: Demand, pair: number, today: Day): number {
  const h = mix(pairs.seed, pair, 53)
  const cycle = 4 + (h % 12)
  const sales = demand.salesUntil(pair, today - 1)
  return demand.meanMilli(pair) * (cycle - 1 - ((sales + (h >>> 8)) % cycle))
}
