export interface Pair {
  sku: string
  location: string
}

/** Numbers the pairs in the order of their first rows. */
export class Pairs {
  readonly list: Pair[] = []
  #byLocation = new Map<string, Map<string, number>>()

  numberOf(sku: string, location: string): number {
    let skus = this.#byLocation.get(location)
    if (!skus) this.#byLocation.set(location, (skus = new Map<string, number>()))
    let number = skus.get(sku)
    if (number === undefined) {
      skus.set(sku, (number = this.list.length))
      this.list.push({ sku, location })
    }
    return number
  }

  /** The pairs sorted by SKU and location (by UTF-16 code units), and each pair's position. */
  sorted(): { pairs: Pair[]; rank: Int32Array } {
    const order = Int32Array.from(this.list, (_, i) => i).sort((a, b) =>
      byName(this.list[a]!, this.list[b]!),
    )
    const rank = new Int32Array(order.length)
    order.forEach((pair, place) => (rank[pair] = place))
    return { pairs: Array.from(order, (pair) => this.list[pair]!), rank }
  }
}

function byName(a: Pair, b: Pair): number {
  if (a.sku !== b.sku) return a.sku < b.sku ? -1 : 1
  return a.location < b.location ? -1 : Number(a.location > b.location)
}
