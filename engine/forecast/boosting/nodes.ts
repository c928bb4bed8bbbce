// What the nodes of a growing tree know of their rows. All sums are exact, so that they do not depend on the order of the rows:
// of two children only the smaller one is added up, and the other one is the rest of its parent.
import { BIN_COUNT } from './bins.ts'

/** Bits of the largest sum; a double has 53. */
const SUM_BITS = 50

/** Rounded to a grid on which all sums of them are exact: by less than a 2^49th of their sum. */
export function toExactSums(weight: Float64Array): Float64Array {
  const total = weight.reduce((sum, one) => sum + one, 0)
  const step = 2 ** (Math.ceil(Math.log2(total)) - SUM_BITS)
  return weight.map((one) => Math.round(one / step) * step)
}

/** Rows by node, with what each node's rows weigh in each bin of each feature. */
export class Nodes {
  readonly featureCount: number
  /** Rows, those of each node together. */
  readonly rows: Uint32Array
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  readonly #weight: Float64Array
  /** 1 for rows that the trees so far leave too low. */
  readonly #isLow: Uint8Array
  /** Of each row and feature the place of its bin within a node's sums. */
  readonly #places: Uint16Array
  /** Sums of a node: by feature and bin the weight of all rows, and of those that are too low. */
  readonly #size: number
  readonly #root: Float64Array
  readonly #sums: Float64Array

  /** @param weight on a grid (toExactSums) */
  constructor(columns: readonly Uint8Array[], weight: Float64Array, depth: number) {
    const { length } = weight
    this.featureCount = columns.length
    this.rows = new Uint32Array(length)
    this.starts = new Uint32Array(1 << depth)
    this.ends = new Uint32Array(1 << depth)
    this.#weight = weight
    this.#isLow = new Uint8Array(length)
    this.#size = 2 * columns.length * BIN_COUNT
    this.#places = placesOf(columns, length)
    this.#root = new Float64Array(this.#size)
    this.#sums = new Float64Array(this.#size << (depth - 1))
    for (let row = 0; row < length; row++) this.rows[row] = row
    this.#addUp(0, length, this.#root)
  }

  /** Puts all rows into one node. @param left what the trees so far leave of each row */
  restart(left: Float64Array): void {
    const { length } = this.rows
    for (let row = 0; row < length; row++) {
      const isLow = left[row]! > 0 ? 1 : 0
      if (isLow === this.#isLow[row]) continue
      this.#isLow[row] = isLow
      const by = isLow ? this.#weight[row]! : -this.#weight[row]!
      const first = row * this.featureCount
      for (let at = first; at < first + this.featureCount; at++)
        this.#root[this.#places[at]! + 1]! += by
    }
    this.#sums.set(this.#root)
    this.starts[0] = 0
    this.ends[0] = length
  }

  /** Where the sums of a feature begin: bin by bin the weight of all rows and that of those that are too low. */
  firstBin(node: number, feature: number): number {
    return node * this.#size + 2 * feature * BIN_COUNT
  }

  get sums(): Float64Array {
    return this.#sums
  }

  /** Splits all nodes: rows of bins above the cut go to the node `count` further. */
  split(column: Uint8Array, cut: number, count: number, isLast: boolean): void {
    for (let node = 0; node < count; node++) {
      const middle = this.#partition(column, cut, this.starts[node]!, this.ends[node]!)
      this.starts[node + count] = middle
      this.ends[node + count] = this.ends[node]!
      this.ends[node] = middle
      if (!isLast) this.#divideSums(node, node + count)
    }
  }

  /** @returns where the rows above the cut begin */
  #partition(column: Uint8Array, cut: number, start: number, end: number): number {
    const { rows } = this
    let middle = start
    for (let at = start; at < end; at++) {
      const row = rows[at]!
      if (column[row]! > cut) continue
      rows[at] = rows[middle]!
      rows[middle++] = row
    }
    return middle
  }

  #divideSums(lower: number, upper: number): void {
    const size = this.#size
    const parent = this.#sums.subarray(lower * size, (lower + 1) * size)
    const other = this.#sums.subarray(upper * size, (upper + 1) * size)
    other.fill(0)
    const isUpperSmaller =
      this.ends[upper]! - this.starts[upper]! < this.ends[lower]! - this.starts[lower]!
    const smaller = isUpperSmaller ? upper : lower
    this.#addUp(this.starts[smaller]!, this.ends[smaller]!, other)
    for (let at = 0; at < size; at++) {
      const rest = parent[at]! - other[at]!
      if (isUpperSmaller) parent[at] = rest
      else {
        parent[at] = other[at]!
        other[at] = rest
      }
    }
  }

  #addUp(start: number, end: number, into: Float64Array): void {
    const { rows, featureCount } = this
    const [weight, isLow, places] = [this.#weight, this.#isLow, this.#places]
    for (let at = start; at < end; at++) {
      const row = rows[at]!
      const all = weight[row]!
      const first = row * featureCount
      const last = first + featureCount
      if (isLow[row] === 0) for (let i = first; i < last; i++) into[places[i]!]! += all
      else
        for (let i = first; i < last; i++) {
          const place = places[i]!
          into[place]! += all
          into[place + 1]! += all
        }
    }
  }
}

function placesOf(columns: readonly Uint8Array[], length: number): Uint16Array {
  const places = new Uint16Array(columns.length * length)
  columns.forEach((column, feature) => {
    for (let row = 0; row < length; row++)
      places[row * columns.length + feature] = 2 * (feature * BIN_COUNT + column[row]!)
  })
  return places
}
