import type { Connection, Stream } from '../adapter.ts'
import { addressOf } from '../http/address.ts'
import { HttpClient } from '../http/client.ts'
import { type KeysetPage, type KeysetQuery, KeysetReader } from '../odata/keyset.ts'
import { Once } from '../rows/memoize.ts'
import { objectsIn } from '../rows/objects.ts'
import { businessOneOptions, type BusinessOneOptions } from './options.ts'
import { Session } from './session.ts'

export const SERVICE = { path: '/b1s/v2', version: 4 as const }

/** All that is ever asked for. */
const SETS =
  'Items|Warehouses|BusinessPartners|PurchaseOrders|PurchaseDeliveryNotes|Orders|DeliveryNotes|Returns' +
  '|Invoices|CreditNotes|InventoryGenExits|PurchaseInvoices|PurchaseReturns|PurchaseCreditNotes|PurchaseRequests|PurchaseQuotations|Drafts|BlanketAgreements'

/** What a stored query gives. */
export const queryList = (code: string) => `SQLQueries('${code}')/List`

/** A document has lines. */
const LINES = 'DocumentLines'
/** Lists that hang below a row; but for lines some installations leave them out. */
const LISTS_BELOW = [
  LINES,
  ...['BlanketAgreements_ItemsLines', 'ItemWarehouseInfoCollection', 'ItemPrices'],
]

/** More at a time slows its users down. */
const CONCURRENCY = 2
/** Streams of a source, without batches. */
const STREAMS = 10

/** One company of one Service Layer. */
export class System extends KeysetReader {
  readonly options: BusinessOneOptions
  readonly session: Session
  /** What several streams ask for, of one read of the source. */
  readonly once = new Once()

  /** @throws Fatal when account or options name no usable address */
  constructor(connection: Connection) {
    const options = businessOneOptions.parse(connection.options)
    const address = addressOf(connection)
    const settings = { caFile: options.ca_file, timeoutMs: options.timeout_seconds * 1000 }
    const { batches_query: query } = options
    const session = new Session({ connection, address, ...settings }, STREAMS + (query ? 1 : 0))
    const lists = query ? `${SETS}|SQLQueries\\('${query}'\\)/List` : SETS
    const http = new HttpClient({
      address,
      reads: { get: [new RegExp(`${SERVICE.path}/(${lists})`)] },
      ...{ credentials: session, credentialHeader: 'cookie', isExpired: isSessionLost },
      concurrency: options.concurrency ?? CONCURRENCY,
      ...settings,
    })
    super(http, { pageSize: options.page_size, headers: { accept: 'application/json' } })
    this.options = options
    this.session = session
  }

  /** @throws Fatal | Retriable, also where a row has not the lists that it is asked for */
  override async *pages<Row>(
    query: KeysetQuery,
    after: string | null,
    signal: AbortSignal,
  ): AsyncGenerator<KeysetPage<Row>> {
    const lists = LISTS_BELOW.filter((name) => query.select.includes(name))
    for await (const page of super.pages<Row>(query, after, signal)) {
      for (const row of page.rows as Record<string, unknown>[])
        for (const name of lists) {
          const rule = `${query.set}(${String(row[query.key])}) has no list of ${name}.`
          objectsIn(name === LINES ? row[name] : (row[name] ?? []), rule)
        }
      yield page
    }
  }

  /** A stream that holds the session while it is read. */
  inSession(stream: Stream): Stream {
    const { session } = this
    return {
      ...stream,
      async *read(since, signal, stored) {
        session.begin()
        try {
          yield* stream.read(since, signal, stored)
        } finally {
          await session.end()
        }
      },
    }
  }
}

/** The code is 301, whatever the status of the answer. */
const isSessionLost = (answer: Buffer) => /"code"\s*:\s*"?301\b/.test(answer.toString())

/** Documents by their number in the database. */
export const documents = (
  set: string,
  select: readonly string[],
  filter: string | null,
): KeysetQuery => ({
  ...{ service: SERVICE, set, key: 'DocEntry', keyType: 'number' },
  ...{ select: ['DocEntry', ...select], filter },
})
