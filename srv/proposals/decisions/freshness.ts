import {
  type Calculation,
  inputChanges,
  isStale,
  type ProposalInput,
  propose,
} from '../../../engine/proposal/index.ts'
import { settings } from '../../config.ts'
import { Refusal } from '../../errors.ts'
import { toDecimal } from '../../store/numbers.ts'
import { inputsOfSeries, type PairInputs } from '../inputs/pair-inputs.ts'
import { supplyBeside } from '../inputs/supply.ts'
import type { Proposal } from '../to-proposal.ts'
import { movableNow } from '../transfers/movable.ts'

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const snakeMembers = (calculation: Calculation) =>
  Object.fromEntries(Object.entries(calculation).map(([name, value]) => [snake(name), value]))

/**
 * Compares what the proposal was calculated from with what is known now.
 * @throws Refusal `proposal_stale`, what moved in `details`, what would be proposed now in `fresh`
 * (null where nothing can be)
 */
export async function assertFresh(proposal: Proposal) {
  const now = await inputsOfSeries(proposal.series)
  if (!now?.input) throw stale(proposal, 'its demand is no longer known', [])
  const { coming, owed } = await supplyBeside(proposal)
  const input = now.input(coming, owed)
  if (proposal.kind === 'transfer') return assertMovable(proposal, input)
  const result = propose(input)
  if (result.kind === 'blocked') {
    throw stale(proposal, result.missing.map(({ reason }) => reason).join(' '), [])
  }
  const { calculation } = result
  const before = withoutRaise(proposal.calculation)
  const terms = termsMoved(proposal, now)
  const isMoved = isStale(before, calculation, settings().staleTolerance)
  if (!isMoved && !terms.length) return
  const moved = [...inputChanges(proposal.calculation, calculation), ...terms]
  const details = moved.map(({ input, before, after }) => ({
    code: 'input_changed',
    message: `${snake(input)} was ${before} and is ${after} now`,
    target: snake(input),
  }))
  const why = isMoved
    ? `${calculation.quantity} would be proposed now`
    : 'its supplier or cost is another now'
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

/** What decides about the value beside the quantity: whoever approves must know whom from, and for how much. */
function termsMoved({ supplier, unitCost }: Proposal, now: PairInputs): Term[] {
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

async function assertMovable(proposal: Proposal, input: ProposalInput) {
  const quantity = await movableNow(proposal, input)
  const before = { quantity: proposal.calculation.quantity, lotSize: 1 }
  if (!isStale(before, { quantity, lotSize: 1 }, settings().staleTolerance)) return
  const why = `${quantity} can be moved from ${proposal.fromLocation} and are needed now`
  throw stale(proposal, why, [], { quantity, calculation: snakeMembers(proposal.calculation) })
}

/** What the order of the whole supplier added is not compared: the pair's own numbers are. */
const withoutRaise = ({ quantity, lotSize, supplierMinimum = 0 }: Calculation) => ({
  quantity: quantity - supplierMinimum,
  lotSize,
})

const stale = (
  { ID, calculation }: Proposal,
  why: string,
  details: { code: string; message: string; target: string }[],
  fresh: { quantity: number; calculation: object } | null = null,
) =>
  new Refusal(
    'proposal_stale',
    `prop_${ID} was calculated as ${calculation.quantity} from numbers that have moved: ${why}.`,
    { details, members: { fresh } },
  )
