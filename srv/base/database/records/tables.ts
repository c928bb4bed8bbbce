import { type RecordKind, RECORDS } from '../../../../adapters/records.ts'
import {
  type AnyEntity,
  Batches,
  Closures,
  CustomerOrders,
  Drafts,
  ErpForecasts,
  ExchangeRates,
  Locations,
  OpenOrders,
  Planning,
  PriceBreaks,
  Receipts,
  Reservations,
  Skus,
  Stock,
  Suppliers,
  SupplierTerms,
} from '../entities.ts'

/** Kinds whose records are stored as they come; the others have a target of their own. */
export type TableKind = Exclude<RecordKind, 'demand' | 'stockHistory' | 'plannedEvents'>

/** What the tables of some kinds have that others do not. */
interface Special {
  /** Whether rows keep the instant at which they were first read. */
  datesRows?: boolean
  /** Whether rows are about periods: those that have begun are neither written nor deleted. */
  ofPeriods?: boolean
  /** Whether a read writes a new generation of rows, which replaces the visible one when it is complete. */
  generations?: boolean
}

/** Where the records of a kind are kept: in columns that are called as their fields. */
export interface Table extends Special {
  entity: AnyEntity
  key: readonly string[]
  /** The fields beside those of the key. */
  values: string[]
}

function tableOf(kind: TableKind, entity: AnyEntity, special: Special = {}): Table {
  const { schema, key }: { schema: { shape: object }; key: readonly string[] } = RECORDS[kind]
  const values = Object.keys(schema.shape).filter((field) => !key.includes(field))
  return { entity, key, values, ...special }
}

export const TABLES: Record<TableKind, Table> = {
  locations: tableOf('locations', Locations),
  suppliers: tableOf('suppliers', Suppliers),
  skus: tableOf('skus', Skus, { datesRows: true }),
  planning: tableOf('planning', Planning, { datesRows: true }),
  priceBreaks: tableOf('priceBreaks', PriceBreaks),
  supplierTerms: tableOf('supplierTerms', SupplierTerms),
  closures: tableOf('closures', Closures),
  stock: tableOf('stock', Stock, { generations: true }),
  batches: tableOf('batches', Batches, { generations: true }),
  openOrders: tableOf('openOrders', OpenOrders, { generations: true }),
  drafts: tableOf('drafts', Drafts, { generations: true }),
  customerOrders: tableOf('customerOrders', CustomerOrders, { generations: true }),
  reservations: tableOf('reservations', Reservations, { generations: true }),
  receipts: tableOf('receipts', Receipts),
  exchangeRates: tableOf('exchangeRates', ExchangeRates),
  erpForecasts: tableOf('erpForecasts', ErpForecasts, { ofPeriods: true }),
}
