import {
  type Calculation,
  inputChanges,
  isStale,
  type ProposalInput,
  propose,
  quantityOfPair,
} from '../../../../engine/proposal/index.ts'
import { settings } from '../../../base/settings/config.ts'
import { Refusal } from '../../../base/errors.ts'
import { toSnake } from '../../../base/texts/case.ts'
import { toDecimal } from '../../../base/database/rows.ts'
import { readInputsOf } from '../terms/pair-inputs.ts'
import { readOtherSupply } from '../terms/supply.ts'
import type { Proposal } from '../to-proposal.ts'
import { unitCostOf } from '../to-proposal.ts'
import { transferableQuantity } from '../terms/transferable.ts'

const snakeMembers = (calculation: Calculation) =>
  Object.fromEntries(Object.entries(calculation).map(([name, value]) => [toSnake(name), value]))

/**
 * Compares the inputs of the proposal's calculation with the current ones.
 * @param ordered the quantity to be approved, whose price is compared
 * @throws Refusal `proposal_stale`, with the changed inputs in `details` and the new calculation in `fresh` (null if none is
 * possible)
 */
export async function assertFresh(proposal: Proposal, ordered: number) {
  const now = await readInputsOf(proposal)
  if (!now?.input) throw stale(proposal, 'its demand is no longer known', [])
  const { incoming, outgoing } = await readOtherSupply(proposal)
  const input = now.input(incoming, outgoing)
  if (proposal.kind === 'transfer') return assertTransferable(proposal, input)
  const result = propose(input)
  if (result.kind === 'blocked') {
    throw stale(proposal, result.missing.map(({ reason }) => reason).join(' '), [])
  }
  const { calculation } = result
  const before = withoutRaise(proposal.calculation)
  const terms = changedTerms(
    { ...proposal, unitCost: unitCostOf(proposal.unitCost, proposal.calculation, ordered) },
    { supplier: now.supplier, unitCost: unitCostOf(now.unitCost, calculation, ordered) },
  )
  const isChanged = isStale(before, calculation, settings().staleTolerance)
  if (!isChanged && !terms.length) return
  const moved = [...inputChanges(proposal.calculation, calculation), ...terms]
  const details = moved.map(({ input, before, after }) => ({
    code: 'input_changed',
    message: `${toSnake(input)} was ${before} and is ${after} now`,
    target: toSnake(input),
  }))
  const why = isChanged
    ? `${calculation.quantity} would be proposed now`
    : 'its supplier or cost has changed'
  throw stale(proposal, why, details, {
    quantity: calculation.quantity,
    calculation: snakeMembers(calculation),
  })
}

interface Term {
  input: string
  before: string | null
  after: string | null
}

/** Supplier and unit cost if they have changed, since whoever approves must know both. */
function changedTerms(
  { supplier, unitCost }: Pick<Proposal, 'supplier' | 'unitCost'>,
  now: Pick<Proposal, 'supplier' | 'unitCost'>,
): Term[] {
  const terms: Term[] = []
  if (supplier !== now.supplier) {
    terms.push({ input: 'supplier', before: supplier, after: now.supplier })
  }
  const after = toDecimal(now.unitCost, 4)
  if (unitCost !== null && after !== null) {
    const change = Math.abs(Number(after) - Number(unitCost))
    const isOther = change > Number(unitCost) * settings().staleTolerance
    if (isOther) terms.push({ input: 'unitCost', before: unitCost, after })
  }
  return terms
}

async function assertTransferable(proposal: Proposal, input: ProposalInput) {
  const quantity = await transferableQuantity(proposal, input)
  const before = { quantity: proposal.calculation.quantity, lotSize: 1 }
  if (!isStale(before, { quantity, lotSize: 1 }, settings().staleTolerance)) return
  const why = `${quantity} can be transferred from ${proposal.fromLocation} and are needed now`
  throw stale(proposal, why, [], { quantity, calculation: snakeMembers(proposal.calculation) })
}

/** The calculation without the units that were added to fill the supplier's order. */
const withoutRaise = (calculation: Calculation) => ({
  quantity: quantityOfPair(calculation),
  lotSize: calculation.lotSize,
})

const stale = (
  { ID, calculation }: Proposal,
  why: string,
  details: { code: string; message: string; target: string }[],
  fresh: { quantity: number; calculation: object } | null = null,
) =>
  new Refusal(
    'proposal_stale',
    `prop_${ID} was calculated as ${calculation.quantity} from numbers that have changed: ${why}.`,
    { details, members: { fresh } },
  )
