import type { Connection } from '../adapter.ts'
import { HttpClient } from '../http.ts'
import { Address } from '../http/address.ts'
import { ODataClient } from './odata/client.ts'
import { allRows, pages } from './odata/pages.ts'
import type { From, RowsPage, Wire } from './odata/pages.ts'
import { conditionsFor } from './odata/keys.ts'
import { parametersOf } from './odata/query.ts'
import type { Query } from './odata/query.ts'
import { s4hanaOptions } from './options.ts'
import type { S4hanaOptions } from './options.ts'
import { SERVICES } from './services.ts'

const CLOUD = /\.s4hana\.(ondemand\.com|cloud\.sap)$/i
const CLOUD_CONCURRENCY = 4
const ON_PREMISE_CONCURRENCY = 2

/** One connected S/4HANA, to be read from. */
export class System {
  readonly options: S4hanaOptions
  readonly concurrency: number
  readonly #odata: ODataClient

  /** @throws Fatal when account or options name no usable address */
  constructor(connection: Connection) {
    this.options = s4hanaOptions.parse(connection.options)
    const { concurrency, ca_file: caFile, timeout_seconds: seconds } = this.options
    const address = addressOf(connection)
    const isCloud = CLOUD.test(new URL(address.origin).hostname)
    this.concurrency = concurrency ?? (isCloud ? CLOUD_CONCURRENCY : ON_PREMISE_CONCURRENCY)
    const http = new HttpClient({
      address,
      reads: { get: SERVICES.map(({ path }) => new RegExp(`${escape(path)}/\\w+`)) },
      credentials: connection.credentials ?? null,
      concurrency: this.concurrency,
      caFile,
      timeoutMs: seconds * 1000,
    })
    this.#odata = new ODataClient(http, settingsOf(this.options))
  }

  /** Page by page; see {@link pages}. */
  pages<Row>(query: Unsized, from: From<Row>, signal: AbortSignal): AsyncGenerator<RowsPage<Row>> {
    return pages<Row>(this.#odata, this.#sized(query), from, signal)
  }

  /** All rows at once, for what is few or has to be looked up. */
  all<Row extends object>(query: Unsized, signal: AbortSignal): Promise<Row[]> {
    return allRows<Row>(this.#odata, this.#sized(query), {}, signal)
  }

  /** The rows that belong to some keys, and perhaps others. */
  async allOf<Row extends object>(
    query: Unsized,
    field: string,
    keys: Iterable<string>,
    signal: AbortSignal,
  ): Promise<Row[]> {
    const parts = conditionsFor(field, keys).map((condition) => {
      const filter = query.filter ? `(${query.filter}) and (${condition.filter})` : condition.filter
      const owns = (row: Row) => condition.covers(String((row as Wire)[field]))
      return allRows<Row>(this.#odata, this.#sized({ ...query, filter }), { owns }, signal)
    })
    return (await Promise.all(parts)).flat()
  }

  /** One request for one row, whatever it is: whether the set can be read, and the ERP's clock. */
  async probe({ service, set, key }: Countable, signal: AbortSignal): Promise<Date> {
    const url = this.#odata.url(service, set, { $top: '1', $select: key.join(',') })
    const { serverTime } = await this.#odata.page(service, url, signal)
    return new Date(serverTime ?? Date.now())
  }

  /** How many rows there are; null where the ERP does not say. */
  async count(query: Countable, signal: AbortSignal): Promise<number | null> {
    const { service, set } = query
    const sized = { ...query, select: query.key, top: 1, sorts: false }
    const url = this.#odata.url(service, set, parametersOf(sized, { skip: 0 }, true))
    return (await this.#odata.page(service, url, signal)).total
  }

  #sized(query: Unsized): Query {
    return { top: this.options.page_size, ...query }
  }
}

type Unsized = Omit<Query, 'top'> & { top?: number }
type Countable = Omit<Unsized, 'select'>

/**
 * The base URL, or else the account, which may be the system's host or URL.
 * @throws Fatal invalid_address | insecure_address
 */
export function addressOf({ baseUrl, account }: Connection): Address {
  return baseUrl ? Address.parse(baseUrl, 'base_url') : Address.parse(account, 'account')
}

function settingsOf({ sap_client: client, language }: S4hanaOptions): Record<string, string> {
  return { ...(client ? { 'sap-client': client } : {}), 'sap-language': language }
}

const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
