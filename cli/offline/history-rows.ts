/** Rows per block: large, so that there are few blocks, but the last one wastes little memory. */
const BLOCK_BITS = 16
const BLOCK = 1 << BLOCK_BITS
const IN_BLOCK = BLOCK - 1

const newBlock = () => ({
  pairs: new Int32Array(BLOCK),
  days: new Int32Array(BLOCK),
  quantities: new Float64Array(BLOCK),
  promos: new Uint8Array(BLOCK),
  baselines: null as Float64Array<ArrayBuffer> | null,
})

/** Frees the memory at once instead of at the next garbage collection. */
const release = (array: { buffer: ArrayBuffer }) => array.buffer.transfer(0)

/** Rows in the order of the file, in blocks of columns: 17 bytes per row. */
export class HistoryRows {
  count = 0
  #blocks: ReturnType<typeof newBlock>[] = []
  #hasPromos = false
  #hasBaselines = false

  /** @param baseline NaN for none */
  add(pair: number, day: number, quantity: number, promo = false, baseline = NaN): void {
    const at = this.count++ & IN_BLOCK
    if (at === 0) this.#blocks.push(newBlock())
    const block = this.#blocks[this.#blocks.length - 1]!
    block.pairs[at] = pair
    block.days[at] = day
    block.quantities[at] = quantity
    if (promo) {
      block.promos[at] = 1
      this.#hasPromos = true
    }
    if (Number.isNaN(baseline)) return
    block.baselines ??= new Float64Array(BLOCK).fill(NaN)
    block.baselines[at] = baseline
    this.#hasBaselines = true
  }

  /**
   * The rows sorted by `rank` (a pair's position in the output), day and quantity. Sums of them do not
   * depend on the order of the rows in the file, not even by rounding.
   */
  grouped(rank: Int32Array): GroupedRows {
    const blocks = this.#blocks
    const pairOf = (row: number) => blocks[row >>> BLOCK_BITS]!.pairs[row & IN_BLOCK]!
    const dayOf = (row: number) => blocks[row >>> BLOCK_BITS]!.days[row & IN_BLOCK]!
    const quantityOf = (row: number) => blocks[row >>> BLOCK_BITS]!.quantities[row & IN_BLOCK]!
    const baselineOf = (row: number) =>
      blocks[row >>> BLOCK_BITS]!.baselines?.[row & IN_BLOCK] ?? NaN
    const promoOf = (row: number) => blocks[row >>> BLOCK_BITS]!.promos[row & IN_BLOCK]!
    const starts = new Int32Array(rank.length + 1)
    for (let row = 0; row < this.count; row++) starts[rank[pairOf(row)]! + 1]!++
    for (let i = 0; i < rank.length; i++) starts[i + 1]! += starts[i]!
    const order = new Int32Array(this.count)
    const next = starts.slice()
    for (let row = 0; row < this.count; row++) order[next[rank[pairOf(row)]!]!++] = row
    const later = (a: number, b: number) => dayOf(a) - dayOf(b) || quantityOf(a) - quantityOf(b)
    for (let i = 0; i < rank.length; i++) sortUnlessSorted(order, starts[i]!, starts[i + 1]!, later)
    return {
      starts,
      count: this.count,
      hasPromos: this.#hasPromos,
      hasBaselines: this.#hasBaselines,
      dayAt: (at) => dayOf(order[at]!),
      quantityAt: (at) => quantityOf(order[at]!),
      promoAt: (at) => promoOf(order[at]!),
      baselineAt: (at) => baselineOf(order[at]!),
      release: () => {
        release(order)
        for (const { pairs, days, quantities, promos, baselines } of blocks.splice(0))
          for (const column of [pairs, days, quantities, promos, baselines])
            if (column) release(column)
      },
    }
  }
}

function sortUnlessSorted(
  order: Int32Array,
  from: number,
  to: number,
  later: (a: number, b: number) => number,
): void {
  for (let i = from + 1; i < to; i++)
    if (later(order[i - 1]!, order[i]!) > 0) {
      order.subarray(from, to).sort(later)
      return
    }
}

/** The positions of pair i are `starts[i]` up to but not including `starts[i + 1]`. */
export interface GroupedRows {
  starts: Int32Array
  count: number
  dayAt(position: number): number
  quantityAt(position: number): number
  /** 1 during a promotion. */
  promoAt(position: number): number
  hasPromos: boolean
  /** NaN where there is none. */
  baselineAt(position: number): number
  hasBaselines: boolean
  /** Frees the memory; no other method may be called afterwards. */
  release(): void
}
