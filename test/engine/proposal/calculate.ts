import { propose } from '../../../engine/proposal/index.ts'
import { input, type Overrides } from './input.ts'

/** The calculation of the example with overrides, with the codes of its exceptions and its rationale. */
export function calculate(overrides: Overrides = {}) {
  const result = propose(input(overrides))
  if (result.kind === 'blocked') throw new Error('blocked')
  return {
    ...result.calculation,
    codes: result.calculation.exceptions?.map(({ code }) => code),
    rationale: result.kind === 'order' ? result.rationale : null,
  }
}
