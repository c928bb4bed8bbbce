// SKUs, plants and pairs. SKUs are in blocks of five; the first of a block has two plants.
import { mix, multiplier } from './hash.ts'

/** Pairs of a block of five SKUs. */
export const BLOCK_PAIRS = 6
export const BLOCK_SKUS = 5

export interface Unit {
  base: string
  /** Blank where orders are in base units. */
  order: string
  /** Base units per order unit. */
  factor: number
}

export class Pairs {
  readonly seed: number
  readonly skus: number
  readonly plants: number
  readonly count: number
  readonly codes: string[]
  readonly plantCodes: string[]
  /** The pairs by sales rank, fast sellers first. */
  readonly byRank: Uint32Array
  readonly rankOf: Uint32Array
  readonly skuByPair: Uint32Array
  readonly plantByPair: string[]
  readonly #units: Unit[]

  constructor(seed: number, size: number, plants: number) {
    this.seed = seed
    this.skus = Math.ceil(size / BLOCK_SKUS) * BLOCK_SKUS
    this.plants = plants
    this.count = (this.skus / BLOCK_SKUS) * BLOCK_PAIRS
    this.codes = Array.from({ length: this.skus }, (_, sku) => this.#code(sku))
    this.#units = Array.from({ length: this.skus }, (_, sku) => this.#unit(sku))
    this.plantCodes = Array.from({ length: plants }, (_, plant) => String(1010 + 10 * plant))
    this.byRank = new Uint32Array(this.count)
    this.rankOf = new Uint32Array(this.count)
    const pairs = Array.from({ length: this.count }, (_, pair) => pair)
    this.skuByPair = Uint32Array.from(pairs, (pair) => this.skuOf(pair))
    this.plantByPair = pairs.map((pair) => this.plantCodes[this.plantOf(pair)]!)
    const a = multiplier(this.count, mix(seed, 11))
    for (let rank = 0; rank < this.count; rank++) {
      const pair = (rank * a + 7) % this.count
      this.byRank[rank] = pair
      this.rankOf[pair] = rank
    }
  }

  /** SKU codes in ascending order: half are padded numbers, some others need quoting and URL encoding. */
  #code(sku: number): string {
    if (sku < this.skus / 2) return String(sku + 1).padStart(18, '0')
    const code = `RS-${String(sku + 1).padStart(6, '0')}`
    return sku % 250 === 249 ? `${code} A/1'#&ü` : code
  }

  skuOf(pair: number): number {
    const rest = pair % BLOCK_PAIRS
    return Math.floor(pair / BLOCK_PAIRS) * BLOCK_SKUS + (rest < 2 ? 0 : rest - 1)
  }

  /** Index of the pair's plant. */
  plantOf(pair: number): number {
    const sku = this.skuOf(pair)
    const first = sku % this.plants
    if (sku % BLOCK_SKUS !== 0) return first
    const second = (first + 1) % this.plants
    const lower = pair % BLOCK_PAIRS === 0
    return lower ? Math.min(first, second) : Math.max(first, second)
  }

  /** The pairs of a SKU, in the order of their plants. */
  pairsOf(sku: number): number[] {
    const first = Math.floor(sku / BLOCK_SKUS) * BLOCK_PAIRS
    const rest = sku % BLOCK_SKUS
    return rest === 0 ? [first, first + 1] : [first + rest + 1]
  }

  find(code: string, plant: string): number | undefined {
    const sku = this.findSku(code)
    if (sku === undefined) return undefined
    return this.pairsOf(sku).find((pair) => this.plantCodes[this.plantOf(pair)] === plant)
  }

  findSku(code: string): number | undefined {
    const sku = Number(/^(?:RS-)?(\d+)/.exec(code)?.[1]) - 1
    return this.codes[sku] === code ? sku : undefined
  }

  unit(sku: number): Unit {
    return this.#units[sku]!
  }

  #unit(sku: number): Unit {
    const h = mix(this.seed, sku, 21)
    if (h % 10 === 0) {
      return h & 16
        ? { base: 'KG', order: 'BAG', factor: 25 }
        : { base: 'KG', order: '', factor: 1 }
    }
    if (h % 3 !== 0) return { base: 'PC', order: '', factor: 1 }
    return { base: 'PC', order: 'CAR', factor: [6, 10, 12, 24][(h >>> 8) & 3]! }
  }
}
