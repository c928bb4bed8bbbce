import { type ProposalInput, type ProposalResult, propose } from '../../../engine/proposal/index.ts'

/** Units that one location could give to another. */
export interface Transfer {
  from: string
  quantity: number
}

/** Proposes a transfer to the pair that receives it: whole units, no supplier, no minimum order quantity. */
export function proposeTransfer(
  { planning, policy, rules, ...given }: ProposalInput,
  { from, quantity }: Transfer,
): ProposalResult {
  const { moq: _m, lot_size: _l, order_days: _o, price_breaks: _p, ...others } = rules ?? {}
  const input = {
    ...given,
    planning: { ...planning, supplier: null, moq: 1, lotSize: 1, priceBreaks: null },
    policy: { ...policy, supplierRequired: false },
    rules: others,
  }
  let result = propose(input)
  if (result.kind === 'order' && result.quantity > quantity) {
    result = propose({ ...input, planning: { ...input.planning, maximumOrder: quantity } })
  }
  if (result.kind !== 'order') return result
  const why = `Transfer ${result.quantity} from ${from}, which has more than it needs. ${result.rationale}`
  return { ...result, rationale: why.slice(0, MOST_TEXT) }
}

const MOST_TEXT = 1000
