// Order lines of which nothing comes into stock: deleted, blocked, a return, or for a cost centre. Returns and lines
// for a cost centre are completed some weeks later; one in sixteen is forgotten.
import { mix } from './hash.ts'
import type { Day } from './days.ts'
import type { OrderLine } from './order.ts'

const COMPLETED_AFTER = 20

/** The additional line of an order; four of seven orders have one. */
export function irregularLine(
  seed: number,
  day: Day,
  m: number,
  like: OrderLine,
  isPast: (after: number) => boolean,
): OrderLine | null {
  const h = mix(seed, day, m, 43)
  const kind = h % 7
  if (kind > 3) return null
  const isForgotten = (h >>> 8) % 16 === 0
  const isCompleted = kind > 1 && !isForgotten && isPast(COMPLETED_AFTER)
  return {
    ...like,
    schedule: [{ due: like.schedule[0]!.due, quantity: like.quantity }],
    received: 0,
    isCompleted,
    isFinal: isCompleted,
    deletion: kind === 0 ? 'L' : kind === 1 ? 'S' : '',
    isReturn: kind === 2,
    account: kind === 3 ? 'K' : '',
  }
}
