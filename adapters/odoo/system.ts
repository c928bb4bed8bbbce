import { Once } from '../rows/memoize.ts'
import type { Connection } from '../adapter.ts'
import { Fatal } from '../errors.ts'
import { addressOf } from '../http/address.ts'
import { HttpClient } from '../http/client.ts'
import { Catalogue } from '../rpc/catalogue.ts'
import { readRows, readRowsOf } from '../rpc/reader.ts'
import { BASE_CONTEXT, OdooClient } from './client.ts'
import type { CompanyRow, PartnerRow, ProductRow } from './entities.ts'
import type { Transport } from './transports.ts'
import { bearerOf, json2, JSON2_PATHS, JsonRpc, JSONRPC_PATH, versionOf } from './transports.ts'
import { type OdooOptions, odooOptions } from './options.ts'
import type { Quantities } from '../rpc/pairs.ts'
import { productQuery } from './products.ts'
import { type Places, readPlaces, readQuantities } from './places.ts'
import { dayReader, idOf, readUnits, textOf, type Units } from './values.ts'

/** What movements need of a product. */
export interface KnownProduct {
  sku: string | null
  uom: number | null
}

/** Odoo has JSON-2 from this version on. */
const JSON2_VERSION = 19

/** The reads of one Odoo company, as one user. What several streams need is read once. */
export class System {
  readonly options: OdooOptions
  readonly client: OdooClient
  readonly dayOf: ReturnType<typeof dayReader>
  readonly #connection: Connection
  readonly #once = new Once()
  readonly #products = new Map<number, KnownProduct>()
  readonly #partners = new Map<number, string>()

  constructor(connection: Connection) {
    this.#connection = connection
    this.options = odooOptions.parse(connection.options)
    addressOf(connection)
    this.dayOf = dayReader(this.options.time_zone)
    this.client = new OdooClient(
      (signal) => this.#once.get('transport', () => this.#open(signal)),
      this.options.page_size,
      (signal) => this.#once.get('context', () => this.#readContext(signal)),
    )
  }

  async company(signal: AbortSignal): Promise<number> {
    return (await this.#company(signal)).id
  }

  async currency(signal: AbortSignal): Promise<string | null> {
    const { currency_id: currency } = await this.#company(signal)
    return currency ? currency[1] : null
  }

  places(signal: AbortSignal): Promise<Places> {
    return this.#once.get('places', () => readPlaces(this, signal))
  }

  units(signal: AbortSignal): Promise<Units> {
    return this.#once.get('units', () => readUnits(this, signal))
  }

  /** Of every product with stock. */
  quantities(signal: AbortSignal): Promise<Quantities> {
    return this.#once.get('quantities', () => readQuantities(this, signal))
  }

  /** The code of a product, by the option `sku`. */
  codeOf(row: Pick<ProductRow, 'id' | 'default_code' | 'barcode'>): string | null {
    const { sku } = this.options
    return sku === 'id' ? String(row.id) : textOf(row[sku])
  }

  /** What each product of which stock is kept is called. */
  catalogue(signal: AbortSignal): Promise<Catalogue> {
    return this.#once.get('catalogue', () => this.#readCatalogue(signal))
  }

  async #readCatalogue(signal: AbortSignal): Promise<Catalogue> {
    const fields = ['default_code', 'barcode', 'active']
    const query = { ...(await productQuery(this, signal)), fields }
    const rows = await readRows<ProductRow>(this.client, query, signal)
    return new Catalogue(
      rows.map((row) => ({ id: row.id, code: this.codeOf(row), isActive: row.active })),
    )
  }

  /** Looks up the products of some rows; those that are known already are not asked for again. */
  async products(
    numbers: Iterable<number | null>,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, KnownProduct>> {
    const wanted = [...new Set(numbers)].filter((id) => id !== null && !this.#products.has(id))
    if (wanted.length) {
      const query = { model: 'product.product', domain: [], fields: PRODUCT_FIELDS }
      const numbers = wanted as number[]
      const catalogue = await this.catalogue(signal)
      const rows = await readRowsOf<ProductRow>(this.client, query, 'id', numbers, signal)
      for (const { id, uom_id: uom } of rows) {
        this.#products.set(id, { sku: catalogue.skuOf(id), uom: idOf(uom) })
      }
    }
    return this.#products
  }

  /** The codes of partners: their reference, or else their number. */
  async partners(
    numbers: Iterable<number | null>,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, string>> {
    const wanted = [...new Set(numbers)].filter((id) => id !== null && !this.#partners.has(id))
    if (wanted.length) {
      const query = { model: 'res.partner', domain: [], fields: ['ref', 'name'] }
      const numbers = wanted as number[]
      const rows = await readRowsOf<PartnerRow>(this.client, query, 'id', numbers, signal)
      for (const { id, ref } of rows) this.#partners.set(id, ref || String(id))
    }
    return this.#partners
  }

  async #open(signal: AbortSignal): Promise<Transport> {
    const { options } = this
    const { credentials } = this.#connection
    const address = addressOf(this.#connection)
    const settings = {
      ...{ address, reads: { get: [], post: [...JSON2_PATHS, JSONRPC_PATH] } },
      concurrency: options.concurrency ?? 2,
      caFile: options.ca_file,
      timeoutMs: options.timeout_seconds * 1000,
    }
    const plain = new HttpClient({ ...settings, credentials: null })
    const isNew =
      options.protocol === 'auto'
        ? ((await versionOf(plain, signal)) ?? JSON2_VERSION) >= JSON2_VERSION
        : options.protocol === 'json2'
    if (isNew) {
      const http = new HttpClient({ ...settings, credentials: bearerOf(credentials) })
      return json2(http, options.database)
    }
    if (options.database) return new JsonRpc(plain, options.database, credentials)
    const message = 'This Odoo needs the name of its database.'
    throw new Fatal('missing_database', message, 'options.database')
  }

  #company(signal: AbortSignal): Promise<CompanyRow> {
    return this.#once.get('company', async () => {
      const fields = ['name', 'currency_id']
      const query = { model: 'res.company', domain: [], fields }
      const rows = await readRows<CompanyRow>(this.client, query, signal).catch(
        (error: unknown) => {
          throw this.#withoutDatabase(error)
        },
      )
      const wanted = this.options.company
      const found = rows.filter(({ id }) => wanted === undefined || id === wanted)
      if (found.length === 1) return found[0]!
      const names = rows.map(({ id, name }) => `${id} (${name})`).join(', ')
      throw new Fatal(
        'missing_company',
        `Choose one of the companies that this user may read: ${names}.`,
        'options.company',
      )
    })
  }

  /** Every Odoo has companies: what does not, is none, or has no such database. */
  #withoutDatabase(error: unknown): unknown {
    if (!(error instanceof Fatal) || error.code !== 'not_found') return error
    const { database } = this.options
    const { host } = addressOf(this.#connection).url('/')
    const message = database
      ? `${host} has no Odoo database called ${database}.`
      : `There is no Odoo database at ${host}.`
    const address = this.#connection.baseUrl ? 'base_url' : 'account'
    return new Fatal('missing_database', message, database ? 'options.database' : address)
  }

  async #readContext(signal: AbortSignal): Promise<Record<string, unknown>> {
    const { id } = await this.#company(signal)
    return { ...BASE_CONTEXT, lang: this.options.language, allowed_company_ids: [id] }
  }
}

const PRODUCT_FIELDS = ['uom_id']
