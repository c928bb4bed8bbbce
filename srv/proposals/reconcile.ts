import { isMaterial, type ProposalResult, urgencyRank } from '../../engine/proposal/index.ts'
import type { PairInputs } from './inputs.ts'
import { calculationColumns, type Proposal } from './to-proposal.ts'
import { valueOf } from './decisions.ts'

type Order = Extract<ProposalResult, { kind: 'order' }>

export type Step =
  | { do: 'create'; columns: Record<string, unknown> }
  | { do: 'update'; proposal: Proposal; columns: Record<string, unknown> }
  /** Still right: only its expiry moves. */
  | { do: 'confirm'; proposal: Proposal }
  | { do: 'supersede'; proposal: Proposal }

/**
 * What a newer calculation means for the pair's proposals. What a person has touched stays as it
 * is; an untouched one follows the numbers; a rejected one comes back only after a material change.
 */
export function reconcile(
  pair: PairInputs,
  result: ProposalResult,
  open: Proposal[],
  lastRejected: Proposal | undefined,
): Step[] {
  if (result.kind !== 'order') return supersede(open)
  const openKey = openKeyOf(pair)
  const mine = open.find((proposal) => proposal.openKey === openKey)
  const steps = supersede(open.filter((proposal) => proposal !== mine))
  if (!mine) {
    if (lastRejected && !comesBack(lastRejected, result)) return steps
    return [
      ...steps,
      { do: 'create', columns: { ...pairColumns(pair), ...orderColumns(pair, result) } },
    ]
  }
  if (mine.touched || mine.status !== 'pending') return steps
  if (saysTheSame(mine, pair, result)) return [...steps, { do: 'confirm', proposal: mine }]
  return [...steps, { do: 'update', proposal: mine, columns: orderColumns(pair, result) }]
}

/** Withdraws what nobody has touched. */
export const supersede = (proposals: Proposal[]): Step[] =>
  proposals
    .filter(({ status, touched }) => status === 'pending' && !touched)
    .map((proposal) => ({ do: 'supersede', proposal }))

/** Holds one open proposal a pair and supplier. */
export const openKeyOf = ({ source, sku, location, supplier }: PairInputs) =>
  [source, sku, location, supplier ?? ''].join('|')

function comesBack({ calculation, urgency }: Proposal, result: Order) {
  const { quantity, lotSize } = calculation
  return isMaterial(
    { quantity, lotSize, urgency },
    { quantity: result.quantity, lotSize: result.calculation.lotSize, urgency: result.urgency },
  )
}

function saysTheSame(proposal: Proposal, pair: PairInputs, result: Order) {
  return (
    JSON.stringify(calculationColumns(proposal.calculation)) ===
      JSON.stringify(calculationColumns(result.calculation)) &&
    proposal.urgency === result.urgency &&
    proposal.orderBy === result.orderBy &&
    Number(proposal.unitCost) === Number(pair.unitCost)
  )
}

const pairColumns = (pair: PairInputs) => ({
  source_ID: pair.source,
  series: pair.series,
  sku: pair.sku,
  location: pair.location,
  supplier: pair.supplier,
  openKey: openKeyOf(pair),
})

const orderColumns = (pair: PairInputs, result: Order) => ({
  quantity: result.quantity,
  unitCost: pair.unitCost,
  currency: pair.currency,
  value: valueOf(pair.unitCost, result.quantity),
  rationale: result.rationale,
  urgency: result.urgency,
  urgencyRank: urgencyRank(result.urgency),
  orderBy: result.orderBy,
  ...calculationColumns(result.calculation),
})
