import type { RecordKind } from '../../../../adapters/records.ts'
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

/** Where the records of such a kind are kept. */
export interface Table {
  entity: AnyEntity
  key: string[]
  values: string[]
  /** Whether rows keep the instant at which they were first read. */
  datesRows?: boolean
  /** Whether rows are about periods: those that have begun are neither written nor deleted. */
  ofPeriods?: boolean
  /** Whether a read writes a new generation of rows, which replaces the visible one when it is complete. */
  generations: boolean
}

export const TABLES: Record<TableKind, Table> = {
  locations: {
    entity: Locations,
    key: ['location'],
    values: ['name', 'country', 'region', 'timeZone'],
    generations: false,
  },
  suppliers: {
    entity: Suppliers,
    key: ['supplier'],
    values: ['name'],
    generations: false,
  },
  skus: {
    entity: Skus,
    key: ['sku'],
    values: [
      'identity',
      'name',
      'unit',
      'supplier',
      'unitCost',
      'currency',
      'skuGroup',
      'purchasable',
      'phaseOutOn',
      'successor',
    ],
    datesRows: true,
    generations: false,
  },
  planning: {
    entity: Planning,
    key: ['sku', 'location'],
    values: [
      'leadTimeDays',
      'reviewPeriodDays',
      'moq',
      'lotSize',
      'supplier',
      'unitCost',
      'currency',
      ...['orderUnit', 'unitsPerOrderUnit', 'orderPrice', 'supplierSku'],
      'purchasable',
      'phaseOutOn',
      'successor',
    ],
    datesRows: true,
    generations: false,
  },
  priceBreaks: {
    entity: PriceBreaks,
    key: ['sku', 'location', 'supplier', 'fromQuantity'],
    values: ['unitCost'],
    generations: false,
  },
  supplierTerms: {
    entity: SupplierTerms,
    key: ['supplier', 'location'],
    values: [
      ...['minimumOrderValue', 'minimumOrderQuantity', 'freeFreightFrom', 'freightCost'],
      'orderCost',
      'ordersByLocation',
    ],
    generations: false,
  },
  closures: {
    entity: Closures,
    key: ['supplier', 'location', 'firstDay', 'restDays', 'country'],
    values: ['lastDay', 'region', 'reason'],
    generations: false,
  },
  stock: {
    entity: Stock,
    key: ['sku', 'location'],
    values: ['onHand', 'backorders', 'inInspection', 'blocked', 'inTransit'],
    generations: true,
  },
  batches: {
    entity: Batches,
    key: ['sku', 'location', 'batch'],
    values: ['expiresOn', 'quantity'],
    generations: true,
  },
  openOrders: {
    entity: OpenOrders,
    key: ['document', 'line'],
    values: [
      ...['sku', 'location', 'quantity', 'due', 'reference', 'supplier', 'orderedOn'],
      ...['unitCost', 'currency', 'draft', 'confirmedOn', 'confirmedQuantity'],
    ],
    generations: true,
  },
  drafts: {
    entity: Drafts,
    key: ['document', 'line'],
    values: [
      ...['kind', 'sku', 'location', 'quantity', 'ordered', 'due', 'createdOn', 'supplier'],
      ...['reference', 'unitCost', 'currency', 'agreedValue', 'orderedValue'],
    ],
    generations: true,
  },
  customerOrders: {
    entity: CustomerOrders,
    key: ['document', 'line'],
    values: ['sku', 'location', 'quantity', 'due'],
    generations: true,
  },
  reservations: {
    entity: Reservations,
    key: ['document', 'line'],
    values: ['sku', 'location', 'quantity', 'due'],
    generations: true,
  },
  receipts: {
    entity: Receipts,
    key: ['document', 'receipt'],
    values: [
      ...['line', 'sku', 'location', 'supplier', 'orderedOn', 'due', 'receivedOn'],
      ...['quantity', 'reference', 'draft', 'unitCost'],
    ],
    generations: false,
  },
  exchangeRates: {
    entity: ExchangeRates,
    key: ['fromCurrency', 'toCurrency', 'validFrom'],
    values: ['rate'],
    generations: false,
  },
  erpForecasts: {
    entity: ErpForecasts,
    key: ['sku', 'location', 'firstDay'],
    values: ['lastDay', 'quantity'],
    ofPeriods: true,
    generations: false,
  },
}
