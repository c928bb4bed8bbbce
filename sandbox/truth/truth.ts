// The data that a correct sync stores for each pair, by the rules in docs/guides/sandbox.md. It is computed
// from the ERP's rows, not from its answers.
import { customerOrderTruth } from './customer-orders.ts'
import { demandTruth } from './demand.ts'
import { openOrderTruth } from './open-orders.ts'
import { type LeadTimeTruth, leadTimeTruth, type ReceiptTruth, receiptTruth } from './receipts.ts'
import { SourcingTruth } from './sourcing.ts'
import { reservationTruth } from './reservations.ts'
import type { ReservationTruth } from './reservations.ts'
import { StockTruth } from './stock.ts'
import { readRows } from './rows.ts'
import { services } from '../services/index.ts'
import type { EntitySet } from '../odata/set.ts'
import type { World } from '../world/world.ts'
import type { CustomerOrderTruth } from './customer-orders.ts'
import type { DemandDayTruth, DemandOptions } from './demand.ts'
import type { OpenOrderTruth } from './open-orders.ts'
import type { StockOfPair } from './stock.ts'
import type { Sourcing } from './sourcing.ts'

export type { CustomerOrderTruth } from './customer-orders.ts'
export type { DemandClass } from './demand.ts'
export type { LeadTimeTruth, ReceiptTruth } from './receipts.ts'
export type { OpenOrderTruth } from './open-orders.ts'

export interface TruthOptions extends DemandOptions {
  /** False leaves out demand, which takes by far the most time. */
  demand?: boolean
  /** Only this SKU's pairs. */
  sku?: string
}

/** All quantities are in base units. */
export interface PairTruth extends StockOfPair, Sourcing {
  sku: string
  location: string
  skuGroup: string
  /** Open quantity of all its order lines. */
  onOrder: number
  openOrders: OpenOrderTruth[]
  customerOrders: CustomerOrderTruth[]
  reservations: ReservationTruth[]
  /** Sorted by day, without days whose net demand is zero. */
  demand: DemandDayTruth[]
}

/** The entity sets of all services by their names. */
function setsOf(world: World) {
  const sets = new Map<string, EntitySet>()
  for (const service of services(world)) {
    for (const [name, set] of service.sets) sets.set(name, set)
  }
  return (name: string) => sets.get(name)!
}

/** Every receipt of a purchase order. */
export const receipts = (world: World): ReceiptTruth[] => receiptTruth(setsOf(world))

/** What receipts of purchase orders say about lead times. */
export const leadTimes = (world: World): LeadTimeTruth[] => leadTimeTruth(receipts(world))

export function* truth(world: World, options: TruthOptions = {}): Generator<PairTruth> {
  const set = setsOf(world)
  const groups = new Map<unknown, string>()
  for (const row of readRows(set('A_Product'))) groups.set(row.Product, String(row.ProductGroup))
  const sourcing = new SourcingTruth(set)
  const stock = new StockTruth(set('A_MatlStkInAcctMod'))
  const orders = openOrderTruth(world)
  const customerOrders = customerOrderTruth(set)
  const reservations = reservationTruth(set('A_ReservationDocumentItem'))
  const demand = options.demand === false ? () => [] : demandTruth(world, options)
  for (const planning of readRows(set('A_ProductSupplyPlanning'))) {
    const sku = String(planning.Product)
    const location = String(planning.Plant)
    const stockOfPair = stock.next(sku, location)
    if (options.sku !== undefined && sku !== options.sku) continue
    const openOrders = orders.get(`${sku}\n${location}`) ?? []
    yield {
      sku,
      location,
      skuGroup: groups.get(sku)!,
      ...stockOfPair,
      onOrder: sum(openOrders.map(({ quantity }) => quantity)),
      openOrders,
      customerOrders: customerOrders.get(`${sku}\n${location}`) ?? [],
      reservations: reservations.get(`${sku}\n${location}`) ?? [],
      ...sourcing.of(sku, location, planning),
      demand: demand(sku, location),
    }
  }
}

/** A sum rounded to three places. */
function sum(quantities: number[]): number {
  return Math.round(quantities.reduce((a, b) => a + b, 0) * 1000) / 1000
}
