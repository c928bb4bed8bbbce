import { quote } from '../odata/json.ts'
import { AddedDocuments } from './added-documents.ts'
import { DocumentIndex } from './document-index.ts'
import { DayLedgers } from './day-ledger.ts'
import { Demand } from './demand.ts'
import { Orders } from './orders.ts'
import { Pairs } from './pairs.ts'
import { PatchStore } from './patches.ts'
import { SalesOrders } from './sales-orders.ts'
import { supplierCode } from './suppliers.ts'
import type { Clock } from '../clock.ts'
import type { Day } from './days.ts'

export const FIRST_DELIVERY = 80_000_000

export interface WorldSize {
  size: number
  days: number
  plants: number
  seed: number
}

/** The data of the ERP, from which rows are computed on request. */
export class World {
  readonly seed: number
  readonly clock: Clock
  /** First day of history, and the day of the sandbox's start. */
  readonly start: Day
  readonly today0: Day
  readonly pairs: Pairs
  readonly demand: Demand
  readonly orders: Orders
  readonly salesOrders: SalesOrders
  readonly ledgers: DayLedgers
  readonly added = new AddedDocuments()
  readonly book: DocumentIndex
  readonly patches = new PatchStore()
  /** SKUs removed by changes. */
  readonly removedSkus = new Set<number>()
  /** By SKU: its code as JSON text without quotes, and its base unit. */
  readonly rawCodes: string[]
  readonly baseUnits: string[]
  readonly #issues = [0]

  constructor({ size, days, plants, seed }: WorldSize, clock: Clock) {
    if (!(size >= 5 && size <= 1_000_000)) throw new RangeError('size must be 5..1,000,000')
    if (!(days >= 1 && days <= 3650)) throw new RangeError('days must be 1..3650')
    if (!(plants >= 2 && plants <= 90)) throw new RangeError('plants must be 2..90')
    this.seed = seed
    this.clock = clock
    this.today0 = clock.today()
    this.start = this.today0 - days
    const today = () => clock.today()
    this.pairs = new Pairs(seed, size, plants)
    this.demand = new Demand(this.pairs)
    this.orders = new Orders(this.pairs, this.demand, this.start, today, supplierCode)
    this.salesOrders = new SalesOrders(this.pairs, this.start, today)
    this.ledgers = new DayLedgers(seed, this.demand, this.orders.calendar, this.start)
    const { ledgers } = this
    this.book = new DocumentIndex(
      this.start,
      today,
      { issuing: (day) => ledgers.issuing(day), receiving: (day) => ledgers.receiving(day) },
      this.added,
    )
    this.rawCodes = this.pairs.codes.map((code) => quote(code).slice(1, -1))
    this.baseUnits = this.pairs.codes.map((_, sku) => this.pairs.unit(sku).base)
  }

  supplierOf(sku: number): string {
    return supplierCode(sku)
  }

  /** Number of goods issues before the i-th day of history. */
  issuesBefore(days: number): number {
    for (let i = this.#issues.length; i <= days; i++) {
      this.#issues.push(this.#issues[i - 1]! + this.ledgers.issues(this.start + i - 1))
    }
    return this.#issues[days]!
  }

  /** Number of a goods issue's delivery, without padding. */
  deliveryNumber(day: Day, doc: number): number {
    return FIRST_DELIVERY + this.issuesBefore(day - this.start) + doc
  }
}
