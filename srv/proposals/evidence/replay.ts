import type { StoredEvidence } from '../../store/proposal.ts'
import { FORMULA_VERSION, formulaOf, type FormulaLine } from './formula.ts'

export interface Replay {
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
