// Records of demand in columns: millions of objects that wait for their turn are costly garbage, and columns go over
// to another thread without a copy.
import type { RecordOf } from '../../../../adapters/records.ts'

type Demand = RecordOf<'demand'>

export interface DemandColumns {
  length: number
  /** The number of pairs that earlier columns of the same read have named; those that these add follow. */
  firstPair: number
  skus: string[]
  locations: string[]
  /** Days, each once. */
  days: string[]
  /** The number of each record's pair. */
  pairs: Uint32Array
  /** The index of each record's day in `days`. */
  dates: Uint32Array
  quantities: Float64Array
  /** NaN where it is not known. */
  prices: Float64Array
  /** 0, 1, or UNKNOWN. */
  promos: Uint8Array
  /** The documents of all records, one after the other. */
  documents: string
  /** Where the document of each record ends. */
  documentEnds: Uint32Array
  /** Records that reverse another one: their index, and the document of the original. */
  reversals: [at: number, original: string][]
}

export const UNKNOWN = 2
const CAPACITY = 8_192

/** Packs the records of a read, part by part. Pairs are named once in the whole read. */
export class DemandPacker {
  readonly #locations = new Map<string, Map<string, number>>()
  readonly #days = new Map<string, number>()
  #pairCount = 0
  #firstPair = 0
  #length = 0
  #columns = emptyColumns(CAPACITY)
  #skusAdded: string[] = []
  #locationsAdded: string[] = []
  #documents: string[] = []
  #documentsLength = 0
  #reversals: DemandColumns['reversals'] = []

  get length(): number {
    return this.#length
  }

  add(records: readonly Demand[]) {
    this.#grow(this.#length + records.length)
    const { pairs, dates, quantities, prices, promos, documentEnds } = this.#columns
    for (const { sku, location, date, quantity, price, promo, document, reversalOf } of records) {
      const at = this.#length++
      pairs[at] = this.#pairOf(sku, location)
      dates[at] = this.#dayOf(date)
      quantities[at] = quantity
      prices[at] = price ?? NaN
      promos[at] = promo === null ? UNKNOWN : Number(promo)
      if (document) {
        this.#documents.push(document)
        this.#documentsLength += document.length
      }
      documentEnds[at] = this.#documentsLength
      if (reversalOf) this.#reversals.push([at, reversalOf])
    }
    // Joined into one text, since many small ones cost more memory.
    this.#documents = [this.#documents.join('')]
  }

  /** What was added since the last call. */
  take(): DemandColumns {
    const { pairs, dates, quantities, prices, promos, documentEnds } = this.#columns
    const length = this.#length
    const taken: DemandColumns = {
      length,
      firstPair: this.#firstPair,
      skus: this.#skusAdded,
      locations: this.#locationsAdded,
      days: [...this.#days.keys()],
      pairs: pairs.slice(0, length),
      dates: dates.slice(0, length),
      quantities: quantities.slice(0, length),
      prices: prices.slice(0, length),
      promos: promos.slice(0, length),
      documents: this.#documents.join(''),
      documentEnds: documentEnds.slice(0, length),
      reversals: this.#reversals,
    }
    this.#firstPair = this.#pairCount
    this.#length = 0
    this.#skusAdded = []
    this.#locationsAdded = []
    this.#days.clear()
    this.#documents = []
    this.#documentsLength = 0
    this.#reversals = []
    return taken
  }

  #pairOf(sku: string, location: string): number {
    let skus = this.#locations.get(location)
    if (!skus) this.#locations.set(location, (skus = new Map<string, number>()))
    let pair = skus.get(sku)
    if (pair === undefined) {
      skus.set(sku, (pair = this.#pairCount++))
      this.#skusAdded.push(sku)
      this.#locationsAdded.push(location)
    }
    return pair
  }

  #dayOf(date: string): number {
    let day = this.#days.get(date)
    if (day === undefined) this.#days.set(date, (day = this.#days.size))
    return day
  }

  #grow(needed: number) {
    const { length } = this.#columns.pairs
    if (needed <= length) return
    const larger = emptyColumns(Math.max(needed, 2 * length))
    for (const name of Object.keys(larger) as (keyof Columns)[])
      larger[name].set(this.#columns[name])
    this.#columns = larger
  }
}

type Columns = ReturnType<typeof emptyColumns>

const emptyColumns = (capacity: number) => ({
  pairs: new Uint32Array(capacity),
  dates: new Uint32Array(capacity),
  quantities: new Float64Array(capacity),
  prices: new Float64Array(capacity),
  promos: new Uint8Array(capacity),
  documentEnds: new Uint32Array(capacity),
})

/** Records that are not packed yet, as a read's first and only part. */
export function packDemand(records: readonly Demand[]): DemandColumns {
  const packer = new DemandPacker()
  packer.add(records)
  return packer.take()
}

/** The buffers that move to another thread, and are lost here. */
export const transferable = (columns: DemandColumns): ArrayBuffer[] =>
  [
    ...[columns.pairs, columns.dates, columns.quantities],
    ...[columns.prices, columns.promos, columns.documentEnds],
  ].map(({ buffer }) => buffer as ArrayBuffer)
