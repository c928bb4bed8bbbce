import { orderableQuantity } from '../../../engine/proposal/index.ts'
import { Refusal } from '../../errors.ts'
import type { Proposal } from '../to-proposal.ts'

/** @throws Refusal `quantity_not_orderable`, the nearest valid quantities in `details` */
export function assertOrderable(proposal: Proposal, quantity: number) {
  const { moq, lotSize, quantity: calculated, limit: maximum } = proposal.calculation
  const answer = orderableQuantity(quantity, { moq, lotSize, calculated, maximum })
  if (answer.ok) return
  const near = [answer.below, answer.above].filter((each) => each !== null)
  throw new Refusal(
    'quantity_not_orderable',
    `${quantity} cannot be ordered: ${rule(answer.breaks, proposal)}.`,
    {
      target: 'quantity',
      details: near.map((each) => ({
        code: 'nearest_quantity',
        message: String(each),
        target: 'quantity',
      })),
    },
  )
}

function rule(breaks: 'moq' | 'lot_size' | 'maximum', { calculation }: Proposal) {
  if (breaks === 'moq') return `at least ${calculation.moq} (moq)`
  if (breaks === 'lot_size') return `only multiples of ${calculation.lotSize} (lot_size)`
  const { limit = Infinity, quantity } = calculation
  if (limit < 10 * quantity) return `at most ${limit} (limit)`
  return `at most 10 times the calculated ${quantity}`
}
