// Adds up the rows of a file that have one key. It must use little memory, because files have millions of rows.

/** What becomes of a row whose key comes several times. */
export interface Outcome<R> {
  /** The record of all rows of the key, with the last of them; null before. */
  sum: R | null
  /** Why the row is left out of it: it is a copy of another one, or about something else; null: it is not. */
  leftOut: 'copy' | 'other' | null
}

interface Begun<R> {
  sum: R
  /** The rows so far, by their cells. */
  rows: Set<string>
}

/** One reading notes which keys come again, a second one adds up their rows: only what is begun is kept. */
export class Sums<R> {
  /** How many rows of a key are still to come, by the line of its first one. */
  readonly #left = new Map<number, number>()
  readonly #begun = new Map<number, Begun<R>>()
  readonly #add: (one: R, other: R) => R | null

  /** @param add null where the two are not about the same */
  constructor(add: (one: R, other: R) => R | null) {
    this.#add = add
  }

  /** Notes a further row of a key, by the line of its first one. */
  note(first: number): void {
    this.#left.set(first, (this.#left.get(first) ?? 1) + 1)
  }

  isRepeated(first: number): boolean {
    return this.#left.has(first)
  }

  take(first: number, record: R, cells: readonly string[]): Outcome<R> {
    const row = JSON.stringify(cells)
    const begun = this.#begun.get(first)
    const isCopy = begun?.rows.has(row) ?? false
    const sum = begun ? (isCopy ? null : this.#add(begun.sum, record)) : record
    const now = begun ?? { sum: record, rows: new Set() }
    if (sum) now.sum = sum
    now.rows.add(row)
    const left = this.#left.get(first)! - 1
    this.#left.set(first, left)
    if (left) this.#begun.set(first, now)
    else this.#begun.delete(first)
    return { sum: left ? null : now.sum, leftOut: sum ? null : isCopy ? 'copy' : 'other' }
  }
}
