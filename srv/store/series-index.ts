import cds from '@sap/cds'
import { takeNumbers } from './counters.ts'

const { INSERT, SELECT } = cds.ql

export interface Pair {
  sku: string
  location: string
}

/** The numbers of a source's series, kept for the length of a read. */
export class SeriesIndex {
  readonly source: number
  readonly #locations = new Map<string, Map<string, number>>()
  #fresh: { ID: number; pair: Pair }[] = []

  private constructor(source: number) {
    this.source = source
  }

  static async load(source: number): Promise<SeriesIndex> {
    const index = new SeriesIndex(source)
    const rows: ({ ID: number } & Pair)[] = await SELECT.from('restock.Series')
      .columns('ID', 'sku', 'location')
      .where({ source_ID: source })
    for (const { ID, ...pair } of rows) index.#set(pair, ID)
    return index
  }

  get({ sku, location }: Pair): number | undefined {
    return this.#locations.get(location)?.get(sku)
  }

  #set({ sku, location }: Pair, ID: number) {
    let skus = this.#locations.get(location)
    if (!skus) this.#locations.set(location, (skus = new Map()))
    skus.set(sku, ID)
  }

  /** Gives unknown pairs their number, in the caller's transaction; `forgetFresh` where it fails. */
  async resolve(pairs: Pair[]) {
    const fresh: Pair[] = []
    for (const pair of pairs) {
      if (this.get(pair) !== undefined) continue
      this.#set(pair, 0)
      fresh.push(pair)
    }
    if (!fresh.length) return
    const first = await takeNumbers('series', fresh.length)
    this.#fresh = fresh.map((pair, at) => ({ ID: first + at, pair }))
    for (const { ID, pair } of this.#fresh) this.#set(pair, ID)
    const entries = this.#fresh.map(({ ID, pair: { sku, location } }) => ({
      ...{ ID, source_ID: this.source, sku, location, dirty: true },
    }))
    await INSERT.into('restock.Series').entries(entries)
  }
}
