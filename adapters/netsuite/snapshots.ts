// Lists that are read whole each time.
import { daysAgo } from '../rows/days.ts'
import type { RecordKind, RecordOf } from '../records.ts'
import type { Stream } from '../adapter.ts'
import {
  addRecords,
  type Known,
  type SnapshotPage,
  snapshotStream,
  pagesOf,
} from '../rows/pages.ts'
import { placeOfLine } from './movements.ts'
import { hasKind, leaveOut, namesDrafts, readLists } from '../rows/lists.ts'
import { type Query, withConditions } from './suiteql/query.ts'
import type {
  BatchRow,
  ContractRow,
  DraftRow,
  LineRow,
  LocationRow,
  OrderRow,
  OriginRow,
  RateRow,
  StockRow,
  TransferRow,
  VendorRow,
} from './queries.ts'
import {
  BATCHES,
  CONTRACTS,
  DRAFTS,
  LOCATIONS,
  ORIGINS,
  PURCHASE_ORDERS,
  RATES,
  SALES_ORDERS,
  STOCK,
  TRANSFERS,
  VENDORS,
} from './queries.ts'
import { dayLiteral } from './suiteql/wall-clock.ts'
import type { System } from './system.ts'
import { toBatch, toExchangeRate, toLocation, toStock, toSupplier } from './to-lists.ts'
import type { LineCodes, PairCodes } from './account-facts.ts'
import {
  isTransfer,
  toContract,
  toCustomerOrder,
  toDraft,
  toOpenOrder,
  toTransfer,
} from './to-orders.ts'

interface Listed<K extends RecordKind, Row> {
  query: () => Query
  /** How its rows are mapped, once it is known what they refer to. */
  mapper(
    system: System,
    signal: AbortSignal,
    known: Known,
  ): Promise<(row: Row) => RecordOf<K> | null>
  placeOf(row: Row): string
  isOptional?: boolean
}

/** Of rows that name an item and a location: their codes are known first. */
const byPair =
  <Row, Record>(map: (row: Row, codes: PairCodes) => Record) =>
  async ({ facts }: System, signal: AbortSignal) => {
    const codes = await facts.pairCodes(signal)
    return (row: Row) => map(row, codes)
  }

/** Of lines of documents likewise, but for those whose goods are never in stock. */
const byLine =
  <Row extends LineRow, Record>(map: (row: Row, codes: LineCodes) => Record) =>
  async ({ facts }: System, signal: AbortSignal) => {
    const [codes, isDropShip] = await Promise.all([
      facts.lineCodes(signal),
      facts.dropShips(signal),
    ])
    return (row: Row) => (isDropShip(row) ? null : map(row, codes))
  }

function listStream<K extends RecordKind, Row extends object>(
  system: System,
  record: K,
  list: Listed<K, Row>,
): Stream<K> {
  const { isOptional = false } = list
  const read = (signal: AbortSignal, known: Known) =>
    pagesOfList<K, Row>(system, list, signal, known)
  return snapshotStream(record, read, { isOptional })
}

async function* pagesOfList<K extends RecordKind, Row extends object>(
  system: System,
  { query, mapper, placeOf }: Listed<K, Row>,
  signal: AbortSignal,
  known: Known,
): AsyncGenerator<SnapshotPage<K>> {
  const map = await mapper(system, signal, known)
  const found = system.suiteQl.pages<Row>(query(), signal)
  yield* pagesOf<K, Row>(found, (page, rows) => addRecords(page, rows, map, placeOf))
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

/** @throws Fatal where neither drafts nor contracts may be read, or what was read before of one is refused */
const readDrafts = (system: System, signal: AbortSignal, known: Known) =>
  readLists<'drafts'>(
    [
      {
        isAmong: hasKind('requisition', 'rfq'),
        read: () => pagesOfList<'drafts', DraftRow>(system, DRAFT_LIST, signal, known),
      },
      {
        isAmong: hasKind('contract'),
        read: () => pagesOfList<'drafts', ContractRow>(system, CONTRACT_LIST, signal, known),
      },
    ],
    known,
  )

const DRAFT_LIST: Listed<'drafts', DraftRow> = {
  query: () => DRAFTS,
  mapper: byLine(toDraft),
  placeOf: placeOfLine,
}

const CONTRACT_LIST: Listed<'drafts', ContractRow> = {
  query: () => CONTRACTS,
  async mapper({ facts }, signal) {
    const codes = await facts.lineCodesOfAll(signal)
    const since = daysAgo(1)
    return (row) => toContract(row, codes, since)
  },
  placeOf: placeOfLine,
}

export const draftStream = (system: System) =>
  snapshotStream('drafts', (signal, known) => readDrafts(system, signal, known), {
    isOptional: true,
  })

const ORDER_LIST: Listed<'openOrders', OrderRow> = {
  query: () => PURCHASE_ORDERS,
  async mapper(system, signal, known) {
    const origins = await readOrigins(system.suiteQl, signal, known)
    return byLine((row: OrderRow, codes) => toOpenOrder(row, codes, origins))(system, signal)
  },
  placeOf: placeOfLine,
}

const TRANSFER_LIST: Listed<'openOrders', TransferRow> = {
  query: () => TRANSFERS,
  mapper: byLine(toTransfer),
  placeOf: placeOfLine,
}

export const openOrderStream = (system: System) => snapshotStream('openOrders', readOrders(system))

/** What vendors owe, and what is on its way from other locations. */
const readOrders = (system: System) =>
  async function* (signal: AbortSignal, known: Known): AsyncGenerator<SnapshotPage<'openOrders'>> {
    let orders = 0
    const ordered = pagesOfList<'openOrders', OrderRow>(system, ORDER_LIST, signal, known)
    for await (const page of ordered) {
      orders = page.done
      yield page
    }
    try {
      const list = pagesOfList<'openOrders', TransferRow>(system, TRANSFER_LIST, signal, known)
      for await (const page of list) yield { ...page, done: orders + page.done, total: null }
    } catch (error) {
      const { message } = await leaveOut(error, known, (stored) => stored.some(isTransfer))
      const notes = [`${message} What is on its way between locations is not known without it.`]
      yield { records: [], quarantined: [], done: orders, total: null, notes }
    }
  }

/** Where links between documents may not be read orders name no drafts; the note that contracts are left out says why. */
async function readOrigins(
  suiteQl: System['suiteQl'],
  signal: AbortSignal,
  known: Known,
): Promise<ReadonlyMap<string, OriginRow>> {
  try {
    const rows = await suiteQl.all<OriginRow>(ORIGINS, signal)
    return new Map(rows.map((row) => [`${row.document}/${row.line}`, row]))
  } catch (error) {
    await leaveOut(error, known, namesDrafts)
    return new Map()
  }
}

export const customerOrderStream = (system: System) =>
  listStream<'customerOrders', OrderRow>(system, 'customerOrders', {
    query: () => SALES_ORDERS,
    mapper: byLine(toCustomerOrder),
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
