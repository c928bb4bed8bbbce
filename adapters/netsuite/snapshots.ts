// Lists that are read whole each time.
import { daysAgo } from '../rows/days.ts'
import type { RecordKind, RecordOf } from '../records.ts'
import type { Stream } from '../adapter.ts'
import { addRecords, type SnapshotPage, snapshotStream, pagesOf } from '../rows/pages.ts'
import { placeOfLine } from './movements.ts'
import { type Query, withConditions } from './suiteql/query.ts'
import type {
  BatchRow,
  DraftRow,
  LocationRow,
  OrderRow,
  RateRow,
  StockRow,
  VendorRow,
} from './queries.ts'
import {
  BATCHES,
  DRAFTS,
  LOCATIONS,
  PURCHASE_ORDERS,
  RATES,
  SALES_ORDERS,
  STOCK,
  VENDORS,
} from './queries.ts'
import { dayLiteral } from './suiteql/wall-clock.ts'
import type { System } from './system.ts'
import { toBatch, toExchangeRate, toLocation, toStock, toSupplier } from './to-lists.ts'
import { toCustomerOrder, toDraft, toOpenOrder } from './to-orders.ts'

interface Listed<K extends RecordKind, Row> {
  query: () => Query
  /** How its rows are mapped, once it is known what they refer to. */
  mapper(system: System, signal: AbortSignal): Promise<(row: Row) => RecordOf<K> | null>
  placeOf(row: Row): string
  isOptional?: boolean
}

type PairCodes = Awaited<ReturnType<System['facts']['pairCodes']>>

/** Of rows that name an item and a location: their codes are known first. */
const byPair =
  <Row, Record>(map: (row: Row, codes: PairCodes) => Record) =>
  async ({ facts }: System, signal: AbortSignal) => {
    const codes = await facts.pairCodes(signal)
    return (row: Row) => map(row, codes)
  }

function listStream<K extends RecordKind, Row extends object>(
  system: System,
  record: K,
  { query, mapper, placeOf, isOptional = false }: Listed<K, Row>,
): Stream<K> {
  async function* read(signal: AbortSignal): AsyncGenerator<SnapshotPage<K>> {
    const map = await mapper(system, signal)
    const found = system.suiteQl.pages<Row>(query(), signal)
    yield* pagesOf<K, Row>(found, (page, rows) => addRecords(page, rows, map, placeOf))
  }
  return snapshotStream(record, read, { isOptional })
}

export const locationStream = (system: System) =>
  listStream<'locations', LocationRow>(system, 'locations', {
    query: () => LOCATIONS,
    async mapper({ facts }, signal) {
      const codes = await facts.locations(signal)
      return (row) => toLocation(row, codes.get(row.id))
    },
    placeOf: ({ id }) => `location ${id}`,
  })

export const supplierStream = (system: System) =>
  listStream<'suppliers', VendorRow>(system, 'suppliers', {
    query: () => VENDORS,
    mapper: async () => toSupplier,
    placeOf: ({ id }) => `vendor ${id}`,
  })

export const stockStream = (system: System) =>
  listStream<'stock', StockRow>(system, 'stock', {
    query: () => STOCK,
    mapper: byPair(toStock),
    placeOf: ({ item, location }) => `item ${item} at location ${location}`,
  })

/** Not every account keeps lots, and the record of their locations is not in each. */
export const batchStream = (system: System) =>
  listStream<'batches', BatchRow>(system, 'batches', {
    query: () => BATCHES,
    mapper: byPair(toBatch),
    placeOf: ({ batch, location }) => `inventorynumber ${batch} at location ${location}`,
    isOptional: true,
  })

export const draftStream = (system: System) =>
  listStream<'drafts', DraftRow>(system, 'drafts', {
    query: () => DRAFTS,
    mapper: byPair(toDraft),
    placeOf: placeOfLine,
    isOptional: true,
  })

export const openOrderStream = (system: System) =>
  listStream<'openOrders', OrderRow>(system, 'openOrders', {
    query: () => PURCHASE_ORDERS,
    mapper: byPair(toOpenOrder),
    placeOf: placeOfLine,
  })

export const customerOrderStream = (system: System) =>
  listStream<'customerOrders', OrderRow>(system, 'customerOrders', {
    query: () => SALES_ORDERS,
    mapper: byPair(toCustomerOrder),
    placeOf: placeOfLine,
  })

/** A rate counts until the next one: those of a year are enough for what is compared. */
const RATE_DAYS = 400

export const exchangeRateStream = (system: System) =>
  listStream<'exchangeRates', RateRow>(system, 'exchangeRates', {
    query: () => withConditions(RATES, `r.effectivedate >= ${dayLiteral(daysAgo(RATE_DAYS))}`),
    mapper: async () => toExchangeRate,
    placeOf: ({ id }) => `currencyrate ${id}`,
    isOptional: true,
  })
