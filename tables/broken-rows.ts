import type { ParsedRow } from './parse.ts'
import { type RowProblem, TOTAL_ROW } from './row-problems.ts'
import { TableRefused } from './refusal.ts'

/** So many rows, and this share of those read so far, are enough to know that a file is not what it seems to be. */
const ENOUGH = 500
const NEARLY_ALL = 0.9

/** Gives a file up of which nearly nothing can be read: each broken row takes a hundred times as long as a good one. */
export class BrokenRows {
  #rows = 0
  #broken = 0
  #first: { line: number; problem: RowProblem } | null = null

  /** @throws TableRefused too_many_bad_rows, with the first of them, which says how it is mended */
  add({ line, problem }: Pick<ParsedRow, 'line' | 'problem'>): void {
    this.#rows++
    if (!problem || problem === TOTAL_ROW) return
    this.#broken++
    const first = (this.#first ??= { line, problem })
    if (this.#broken < ENOUGH || this.#broken < NEARLY_ALL * this.#rows) return
    const message = `${this.#broken} of the first ${this.#rows} rows cannot be read, this is the first: ${first.problem.message}`
    throw new TableRefused('too_many_bad_rows', message.replace(/\.$/, ''), first.line)
  }
}
