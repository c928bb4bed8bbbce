/** Rows as they come, in columns that grow: 17 bytes a row, whatever their order. */
export class HistoryRows {
  count = 0
  #pairs = new Int32Array(1 << 14)
  #days = new Int32Array(1 << 14)
  #quantities = new Float64Array(1 << 14)
  #promos = new Uint8Array(1 << 14)
  #hasPromos = false

  add(pair: number, day: number, quantity: number, promo = false): void {
    if (this.count === this.#pairs.length) this.#grow()
    this.#pairs[this.count] = pair
    this.#days[this.count] = day
    if (promo) this.#hasPromos = true
    this.#promos[this.count] = promo ? 1 : 0
    this.#quantities[this.count++] = quantity
  }

  #grow(): void {
    const grown = <T extends Int32Array | Float64Array | Uint8Array>(from: T, into: T) => (
      into.set(from),
      into
    )
    const size = 2 * this.#pairs.length
    this.#pairs = grown(this.#pairs, new Int32Array(size))
    this.#days = grown(this.#days, new Int32Array(size))
    this.#quantities = grown(this.#quantities, new Float64Array(size))
    this.#promos = grown(this.#promos, new Uint8Array(size))
  }

  /**
   * The rows by pair, day and quantity, in the order of `rank` (a pair's place in the output): the
   * same for any order of the rows, so that sums of them are the same to the bit.
   */
  grouped(rank: Int32Array): GroupedRows {
    const starts = new Int32Array(rank.length + 1)
    for (let i = 0; i < this.count; i++) starts[rank[this.#pairs[i]!]! + 1]!++
    for (let i = 0; i < rank.length; i++) starts[i + 1]! += starts[i]!
    const order = new Int32Array(this.count)
    const next = starts.slice()
    for (let i = 0; i < this.count; i++) order[next[rank[this.#pairs[i]!]!]!++] = i
    for (let i = 0; i < rank.length; i++) this.#sortByDay(order.subarray(starts[i], starts[i + 1]))
    return {
      starts,
      days: Int32Array.from(order, (row) => this.#days[row]!),
      quantities: Float64Array.from(order, (row) => this.#quantities[row]!),
      ...(this.#hasPromos && { promos: Uint8Array.from(order, (row) => this.#promos[row]!) }),
    }
  }

  #sortByDay(rows: Int32Array): void {
    const days = this.#days
    const quantities = this.#quantities
    const later = (a: number, b: number) =>
      days[a]! - days[b]! || quantities[a]! - quantities[b]! || 0
    for (let i = 1; i < rows.length; i++)
      if (later(rows[i - 1]!, rows[i]!) > 0) {
        rows.sort(later)
        return
      }
  }
}

/** Rows of pair i: `starts[i]` up to `starts[i + 1]`. */
export interface GroupedRows {
  starts: Int32Array
  days: Int32Array
  quantities: Float64Array
  /** 1 in a promotion; absent where there was none. */
  promos?: Uint8Array
}
