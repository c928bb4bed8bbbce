import { Once } from '../rows/memoize.ts'
import type { Connection } from '../adapter.ts'
import { Fatal, isUnreadable } from '../errors.ts'
import { type Address, addressOf } from '../http/address.ts'
import { HttpClient } from '../http/client.ts'
import type { Catalogue } from '../rpc/catalogue.ts'
import { readRows } from '../rpc/reader.ts'
import { readCatalogue } from './products.ts'
import { TrytonClient } from './client.ts'
import { companyOf, type Preferences } from './company.ts'
import type { CompanyRow } from './entities.ts'
import type { Quantities } from '../rpc/pairs.ts'
import { type Places, readPlaces, readQuantities } from './places.ts'
import { type TrytonOptions, trytonOptions } from './options.ts'
import { Session } from './session.ts'

const COMPANIES = { model: 'company.company', domain: [] }

/** The reads of one Tryton company, as one user. What several streams need is read once. */
export class System {
  readonly options: TrytonOptions
  readonly client: TrytonClient
  readonly #once = new Once()

  /** @throws Fatal invalid_address | insecure_address | missing_database */
  constructor(connection: Connection) {
    this.options = trytonOptions.parse(connection.options)
    const address = addressOf(connection)
    const path = pathOf(address, this.options.database)
    const settings = {
      ...{ address, reads: { get: [], post: [path] } },
      concurrency: this.options.concurrency ?? 2,
      caFile: this.options.ca_file,
      timeoutMs: this.options.timeout_seconds * 1000,
    }
    const session = new Session(
      new HttpClient({ ...settings, credentials: null }),
      path,
      connection.credentials,
      this.options.database ? 'options.database' : connection.baseUrl ? 'base_url' : 'account',
    )
    const http = new HttpClient({ ...settings, credentials: session })
    this.client = new TrytonClient(http, path, this.options.page_size, (signal) =>
      this.#contextOf(signal),
    )
  }

  async company(signal: AbortSignal): Promise<number> {
    return Number((await this.#contextOf(signal)).company)
  }

  /** Whether the database has others beside it. */
  async isOneOfSeveral(signal: AbortSignal): Promise<boolean> {
    return (await this.#once.get('companies', () => this.client.count(COMPANIES, signal))) > 1
  }

  /** The currency of the company, by ISO 4217. */
  async currency(signal: AbortSignal): Promise<string | null> {
    return (await this.#companyRow(signal))?.['currency.']?.code ?? null
  }

  /** In which the company, and so each of its warehouses, counts days; null where it names none. */
  async timeZone(signal: AbortSignal): Promise<string | null> {
    return (await this.#companyRow(signal))?.timezone || null
  }

  places(signal: AbortSignal): Promise<Places> {
    return this.#once.get('places', () => readPlaces(this, signal))
  }

  /** What each product is called. */
  catalogue(signal: AbortSignal): Promise<Catalogue> {
    return this.#once.get('catalogue', () => readCatalogue(this, signal))
  }

  /** Whether the production module is there. */
  hasProduction(signal: AbortSignal): Promise<boolean> {
    return this.#once.get('production', () => this.client.knows('production', signal))
  }

  /** Of every product with stock. */
  quantities(signal: AbortSignal): Promise<Quantities> {
    return this.#once.get('quantities', () => readQuantities(this, signal))
  }

  #companyRow(signal: AbortSignal): Promise<CompanyRow | undefined> {
    return this.#once.get('company', () => this.#readCompany(signal))
  }

  async #readCompany(signal: AbortSignal): Promise<CompanyRow | undefined> {
    const domain = [['id', '=', await this.company(signal)]]
    const query = { ...COMPANIES, domain, fields: ['currency.code', 'timezone'] }
    const [row] = await readRows<CompanyRow>(this.client, query, signal)
    return row
  }

  #contextOf(signal: AbortSignal): Promise<Record<string, unknown>> {
    return this.#once.get('context', () => this.#readContext(signal))
  }

  async #readContext(signal: AbortSignal): Promise<Record<string, unknown>> {
    const { language } = this.options
    return { company: await this.#chooseCompany(signal), language, active_test: false }
  }

  async #chooseCompany(signal: AbortSignal): Promise<number> {
    const { result } = await this.client.call<Preferences>(
      ...(['res.user', 'get_preferences', [false] as unknown[], {}, signal] as const),
    )
    return companyOf(result, this.options.company, async (companies) => {
      const query = { ...COMPANIES, domain: [['id', 'in', companies]], fields: ['party.name'] }
      const { rows } = await this.client
        .searchIn<CompanyRow>({}, query, companies.length, signal)
        .catch((error: unknown) => {
          if (isUnreadable(error)) return { rows: [] }
          throw error
        })
      return new Map(rows.map((row) => [row.id, row['party.']?.name ?? '']))
    })
  }
}

/** @throws Fatal missing_database */
export function pathOf(address: Address, database: string | undefined): string {
  if (database) return `/${database}/`
  if (address.prefix) return '/'
  const message = 'The address must end with the database, such as https://erp.example.com/company.'
  throw new Fatal('missing_database', message, 'base_url')
}
