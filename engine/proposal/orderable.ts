import { smallestOrder } from '../inventory/limits.ts'
import { ceilTo, floorTo, wholeStep } from '../inventory/lots.ts'
import type { LotRule } from '../inventory/lots.ts'
import type { Units } from '../types.ts'

export interface OrderLimits extends LotRule {
  /** The quantity as calculated; a buyer may order at most ten times of it. */
  calculated: Units
  /** The `limit` of the calculation, where there is one. */
  maximum?: Units | null
}

export type OrderableAnswer =
  | { ok: true }
  | {
      ok: false
      breaks: 'moq' | 'lot_size' | 'maximum'
      /** The nearest valid quantities around the one asked for; null where there is none. */
      below: Units | null
      above: Units | null
    }

/** An edit beyond this multiple of the calculated quantity is taken for a slip. */
const MOST_TIMES_CALCULATED = 10

/** Whether a buyer's quantity can be ordered, and if not, which ones near it can. */
export function orderableQuantity(quantity: Units, limits: OrderLimits): OrderableAnswer {
  const step = wholeStep(limits.lotSize) ?? 1
  const least = smallestOrder(limits)
  const ceiling = Math.min(MOST_TIMES_CALCULATED * limits.calculated, limits.maximum ?? Infinity)
  const most = floorTo(ceiling, step)
  const breaks = whatBreaks(quantity, limits.moq, step, ceiling)
  if (breaks === null) return { ok: true }
  const below = Math.min(floorTo(quantity, step), most)
  const above = Math.max(ceilTo(quantity, step), least)
  return {
    ok: false,
    breaks,
    below: below >= least ? below : null,
    above: above <= most ? above : null,
  }
}

function whatBreaks(quantity: Units, moq: Units, step: Units, ceiling: Units) {
  if (quantity > ceiling) return 'maximum'
  if (quantity < moq) return 'moq'
  return quantity > 0 && quantity % step === 0 ? null : 'lot_size'
}
