import { TableRefused } from '../../tables/refusal.ts'
import type { Problem } from '../rows/bad-value.ts'

/** A file is refused where so many rows, and more than this share of them, have one problem. */
const MIN_BAD = 2
const BAD_SHARE = 0.5

/** Counts the rows of a file by what is wrong with them: what most rows share is a fault of the file. */
export class BadRows {
  rows = 0
  readonly #seen = new Map<string, { count: number; line: number; problem: Problem }>()

  add(problem: Problem, line: number): void {
    // The first row with a key stands: a file that is joined of two loses nothing.
    if (problem.code === 'duplicate_key') return
    const key = `${problem.code} ${problem.target ?? ''}`
    const seen = this.#seen.get(key)
    if (seen) seen.count++
    else this.#seen.set(key, { count: 1, line, problem })
  }

  /** @throws TableRefused too_many_bad_rows */
  refuseTooMany(): void {
    for (const { count, line, problem } of this.#seen.values()) {
      if (count < MIN_BAD || count <= BAD_SHARE * this.rows) continue
      const message = `${count} of ${this.rows} rows cannot be read, this is the first: ${problem.message}`
      throw new TableRefused('too_many_bad_rows', message.replace(/\.$/, ''), line)
    }
  }
}
