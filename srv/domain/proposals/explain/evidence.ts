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
  /** The quantity that the stored formula gives, before any edit. */
  quantity: number
  /** Whether that equals the quantity calculated at the time. */
  matches: boolean
  lines: FormulaLine[]
}

/**
 * Repeats the calculation of a decision from its evidence alone, since the forecasts, policies and master data of then may be
 * gone.
 * @throws RangeError for evidence with an unknown formula
 */
export function replayEvidence({ formula, calculation }: StoredEvidence): Replay {
  if (formula !== FORMULA_VERSION) throw new RangeError(`There is no formula ${formula}.`)
  const lines = formulaOf(calculation)
  const quantity = lines.at(-1)!.value
  return { quantity, matches: quantity === calculation.quantity, lines }
}

/** The calculation of a proposal as it stands, and that of each decision about it. */
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
