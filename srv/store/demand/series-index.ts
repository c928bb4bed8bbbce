import { takeNumbers } from '../counters.ts'
import { Series, readAs } from '../entities.ts'

/** Stands for a number that is not taken yet. */
const PENDING = 0

export interface Pair {
  sku: string
  location: string
}

/** The numbers of a source's series, kept for the length of a read. */
export class SeriesIndex {
  readonly source: number
  /** The first number that this index has taken: its series are new, and wait for their forecast. */
  #firstNew = Infinity
  readonly #locations = new Map<string, Map<string, number>>()

  private constructor(source: number) {
    this.source = source
  }

  static async load(source: number): Promise<SeriesIndex> {
    const index = new SeriesIndex(source)
    const rows = await readAs<{ ID: number } & Pair>(
      SELECT.from(Series).columns('ID', 'sku', 'location').where({ source_ID: source }),
    )
    for (const { ID, ...pair } of rows) index.#set(pair, ID)
    return index
  }

  get({ sku, location }: Pair): number | undefined {
    return this.#locations.get(location)?.get(sku)
  }

  isNew(series: number): boolean {
    return series >= this.#firstNew
  }

  #set({ sku, location }: Pair, ID: number) {
    let skus = this.#locations.get(location)
    if (!skus) this.#locations.set(location, (skus = new Map<string, number>()))
    skus.set(sku, ID)
  }

  /** The number of each pair, in the caller's transaction: unknown ones get one. */
  async numbersOf(pairs: readonly Pair[]): Promise<number[]> {
    const fresh: Pair[] = []
    const numbers = pairs.map((pair) => {
      const known = this.get(pair)
      if (known !== undefined) return known
      this.#set(pair, PENDING)
      fresh.push(pair)
      return PENDING
    })
    if (!fresh.length) return numbers
    await this.#add(fresh)
    return numbers.map((number, at) => (number === PENDING ? this.get(pairs[at]!)! : number))
  }

  async #add(fresh: Pair[]) {
    const first = await takeNumbers('series', fresh.length)
    this.#firstNew = Math.min(this.#firstNew, first)
    const entries = fresh.map(({ sku, location }, at) => ({
      ...{ ID: first + at, source_ID: this.source, sku, location, dirty: true },
    }))
    for (const { ID, ...pair } of entries) this.#set(pair, ID)
    await INSERT.into(Series).entries(entries)
  }
}
