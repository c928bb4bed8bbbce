import { inTransaction } from '../../../base/cap/context.ts'
import { findProposal } from '../readers.ts'
import {
  type Evidence,
  FORMULA_VERSION,
  type FormulaLine,
  formulaOf,
  type StoredEvidence,
} from '../stored/proposal.ts'

interface Replay {
  /** As the sum gives it from what was kept, before any edit. */
  quantity: number
  /** Whether it is the quantity that was calculated then. */
  matches: boolean
  lines: FormulaLine[]
}

/**
 * Does the sum of a decision again, from its evidence alone: forecasts, policies and master data of
 * then may be gone.
 * @throws RangeError for evidence of a form that is not known here
 */
export function replayEvidence({ formula, calculation }: StoredEvidence): Replay {
  if (formula !== FORMULA_VERSION) throw new RangeError(`There is no formula ${formula}.`)
  const lines = formulaOf(calculation)
  const quantity = lines.at(-1)!.value
  return { quantity, matches: quantity === calculation.quantity, lines }
}

/** The sum of a proposal as it stands, and every decision about it with its sum of then. */
export const evidenceOfProposal = (ID: number) => inTransaction(() => readEvidence(ID))

async function readEvidence(ID: number): Promise<Evidence> {
  const proposal = await findProposal(ID)
  const rows = (await SELECT.from('restock.Evidence')
    .columns('content')
    .where({ proposal: ID })
    .orderBy('version')) as { content: string }[]
  const decisions = rows.map(({ content }) => {
    const kept = JSON.parse(content) as StoredEvidence
    const { lines, quantity } = replayEvidence(kept)
    return { ...kept, lines, replayedQuantity: quantity }
  })
  const lines = formulaOf(proposal.calculation)
  return { proposal, basis: parse(proposal.basis), lines, decisions }
}

const parse = (json: string | null) => (json ? (JSON.parse(json) as Evidence['basis']) : null)
