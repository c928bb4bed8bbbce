// What rows say of many keys of a long list, asked for in parts. Where the wanted keys lie near each other, stretches of
// the list are read in whole pages and kept, since most of their keys will be wanted too: a page of 5,000 rows takes the
// place of dozens of requests that name their keys.
import { clustersOf, isIn } from './keys.ts'
import type { Wire } from './pages.ts'
import { textLiteral } from './query.ts'
import { type EntityQuery, type ODataReader, withFilter } from './reader.ts'

/** Wanted keys whose numbers differ by no more are in one stretch … */
const NEAR = 200
/** … if there are so many; the others are asked for by name. */
const LEAST_KEYS = 10

/** Keys of which all rows have been read: from the first up to, but not including, the end. */
interface Stretch {
  first: string
  end: string
}

/** Behind all keys. */
const END = '\uffff'

/** One list; lives as long as a read of the source. */
export class Stretches<Row extends object, Kept> {
  readonly #reader: ODataReader
  readonly #query: EntityQuery
  readonly #keep: (rows: Row[]) => Kept
  readonly #kept = new Map<string, Kept>()
  readonly #read: Stretch[] = []
  /** Keys that were asked for by name. */
  readonly #named = new Set<string>()
  /** False where the system does not order keys by their characters: then all are asked for by name. */
  #isOrdered = true
  #last: Promise<unknown> = Promise.resolve()

  /**
   * @param query of a list whose first key field is the wanted key
   * @param keep what is kept of all rows of a key
   */
  constructor(reader: ODataReader, query: EntityQuery, keep: (rows: Row[]) => Kept) {
    this.#reader = reader
    this.#query = query
    this.#keep = keep
  }

  /** What is kept of each key that has rows. Callers wait for each other, and find what the one before has read. */
  async of(keys: ReadonlySet<string>, signal: AbortSignal): Promise<Map<string, Kept>> {
    const reading = this.#last.then(() => this.#readMissing(keys, signal))
    this.#last = reading.catch(() => {})
    await reading
    const found = [...keys].filter((key) => this.#kept.has(key))
    return new Map(found.map((key) => [key, this.#kept.get(key)!]))
  }

  async #readMissing(keys: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const missing = [...keys].filter((key) => !this.#isRead(key))
    for (const cluster of clustersOf(missing, NEAR)) {
      const those = missing.filter((key) => isIn(cluster, key))
      if (this.#isOrdered && those.length >= LEAST_KEYS) await this.#readStretch(cluster, signal)
    }
    const byName = missing.filter((key) => !this.#isRead(key))
    const rows = await this.#reader.allOf<Row>(this.#query, this.#field, byName, signal)
    this.#add(rows, (key) => !this.#isRead(key) && keys.has(key))
    for (const key of byName) this.#named.add(key)
  }

  get #field(): string {
    return this.#query.key[0]!
  }

  #isRead(key: string): boolean {
    return this.#named.has(key) || this.#stretchAt(key) !== undefined
  }

  #stretchAt(key: string): Stretch | undefined {
    return this.#read.find(({ first, end }) => first <= key && key < end)
  }

  /** Reads what is missing from one key to another, and what else is on the last page. */
  async #readStretch([first, last]: [string, string], signal: AbortSignal): Promise<void> {
    for (let from = first; from <= last && this.#isOrdered;) {
      const known = this.#stretchAt(from)
      if (known) from = known.end
      else from = await this.#readFrom(from, last, signal)
    }
  }

  /** Reads from a key to the next stretch, or until the last key is whole. @returns where the next part begins */
  async #readFrom(from: string, last: string, signal: AbortSignal): Promise<string> {
    const next = this.#read.reduce(
      (least, { first }) => (first > from && first < least ? first : least),
      END,
    )
    const condition =
      `${this.#field} ge ${textLiteral(from)}` +
      (next === END ? '' : ` and ${this.#field} lt ${textLiteral(next)}`)
    const stretch = { first: from, end: from }
    const query = withFilter(this.#query, condition)
    let open: Row[] = []
    for await (const { rows } of this.#reader.pages<Row>(query, {}, signal)) {
      this.#isOrdered &&= isInOrder(rows, this.#query.key[0] as keyof Row, stretch.end)
      if (!this.#isOrdered) return END
      // The rows of the last key may go on with the next page.
      const cut = rows.length ? this.#keyOf(rows.at(-1)!) : stretch.end
      const whole = [...open, ...rows].filter((row) => this.#keyOf(row) !== cut)
      open = [...open, ...rows].filter((row) => this.#keyOf(row) === cut)
      this.#add(whole, (key) => !this.#named.has(key))
      if (!this.#read.includes(stretch)) this.#read.push(stretch)
      stretch.end = cut
      if (cut > last) return cut
    }
    this.#add(open, (key) => !this.#named.has(key))
    if (!this.#read.includes(stretch)) this.#read.push(stretch)
    return (stretch.end = next)
  }

  #add(rows: Row[], isNew: (key: string) => boolean): void {
    for (const [key, those] of Map.groupBy(rows, (row) => this.#keyOf(row))) {
      if (isNew(key)) this.#kept.set(key, this.#keep(those))
    }
  }

  #keyOf(row: Row): string {
    return String((row as Wire)[this.#field])
  }
}

/** Whether the rows come in the order of their keys' characters, behind the one before. */
export function isInOrder<Row>(rows: readonly Row[], field: keyof Row, before: string): boolean {
  let last = before
  return rows.every((row) => last <= (last = String(row[field])))
}
