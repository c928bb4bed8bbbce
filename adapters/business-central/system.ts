import type { Connection } from '../adapter.ts'
import { Fatal } from '../errors.ts'
import { HttpClient } from '../http/client.ts'
import { Once } from '../rows/memoize.ts'
import { KeysetReader } from '../odata/keyset.ts'
import type { ODataService } from '../odata/query.ts'
import { baseOf } from './auth.ts'
import { businessCentralOptions, type BusinessCentralOptions } from './options.ts'

const STANDARD = '/api/v2.0'
const ANALYTICS = '/api/microsoft/analytics/v1.0'
const ID = '[0-9a-fA-F-]{36}'

/** All that is ever asked for. */
const PATHS = [
  new RegExp(`${STANDARD}/companies(\\(${ID}\\)/(items|vendors|locations|currencyExchangeRates))?`),
  new RegExp(`${STANDARD}/companies\\(${ID}\\)/companyInformation`),
  new RegExp(
    `${ANALYTICS}/companies\\(${ID}\\)/` +
      '(itemLedgerEntries|outstandingPurchaseLines|outstandingSalesLines|purchaseLines|' +
      'requisitionLines|transferLines)',
  ),
  new RegExp(`/ODataV4/Company\\(Id=${ID}\\)/\\w+`),
]

/** A user's requests are handled five at a time, those of other programs among them. */
const CONCURRENCY = 3

const HEADERS = {
  // A replica of the database answers.
  'data-access-intent': 'ReadOnly',
  // Durations are written in the user's language: 2W is 2W in English only.
  'accept-language': 'en-US',
}

interface CompanyRow {
  id: string
  name: string
  displayName?: string
}

/** Where the sets of the company are. */
export interface Services {
  standard: ODataService
  analytics: ODataService
  /** Web services that were published. */
  published: ODataService
}

/** One company of one environment. */
export class System extends KeysetReader {
  readonly options: BusinessCentralOptions
  readonly #http: HttpClient
  readonly once = new Once()

  /** @throws Fatal when account or options name no usable address */
  constructor(connection: Connection) {
    const options = businessCentralOptions.parse(connection.options)
    const http = new HttpClient({
      address: baseOf(connection),
      reads: { get: PATHS },
      credentials: connection.credentials ?? null,
      concurrency: options.concurrency ?? CONCURRENCY,
      caFile: options.ca_file,
      timeoutMs: options.timeout_seconds * 1000,
    })
    super(http, { pageSize: options.page_size, headers: HEADERS })
    this.options = options
    this.#http = http
  }

  /** @throws Fatal company_unknown | company_ambiguous */
  services(signal: AbortSignal): Promise<Services> {
    return this.once.get('services', () => this.#findServices(signal))
  }

  /** The currency that all costs are in; null where the company does not say. */
  currency(signal: AbortSignal): Promise<string | null> {
    return this.once.get('currency', () => this.#readCurrency(signal))
  }

  async #findServices(signal: AbortSignal): Promise<Services> {
    const all = { path: STANDARD, version: 4 as const }
    const companies = await this.allByLink<CompanyRow>(all, 'companies', {}, signal)
    const { id } = companyOf(companies, this.options.company)
    const service = (path: string) => ({ path, version: 4 as const })
    return {
      standard: service(`${STANDARD}/companies(${id})`),
      analytics: service(`${ANALYTICS}/companies(${id})`),
      published: service(`/ODataV4/Company(Id=${id})`),
    }
  }

  async #readCurrency(signal: AbortSignal): Promise<string | null> {
    const { standard } = await this.services(signal)
    const url = this.#http.address.url(`${standard.path}/companyInformation`)
    const { body } = await this.#http.get<Information | { value: Information[] }>(
      url,
      signal,
      HEADERS,
    )
    const code = ('value' in body ? body.value[0] : body)?.currencyCode
    return code && /^[A-Z]{3}$/.test(code) ? code : null
  }
}

interface Information {
  currencyCode?: string | null
}

function companyOf(companies: CompanyRow[], wanted: string | undefined): CompanyRow {
  const isWanted = ({ id, name, displayName }: CompanyRow) =>
    [id.toLowerCase(), name, displayName].includes(wanted) || id === wanted!.toLowerCase()
  const found = wanted === undefined ? companies : companies.filter(isWanted)
  if (found.length === 1) return found[0]!
  const names = companies
    .map(({ name }) => name)
    .slice(0, 20)
    .join(', ')
  const target = 'options.company'
  if (found.length) {
    const message = `This environment has several companies, name one as option company: ${names}.`
    throw new Fatal('company_ambiguous', message, target)
  }
  const message = companies.length
    ? `No company is called ${wanted}; there are ${names}.`
    : 'This user may see no company.'
  throw new Fatal('company_unknown', message, target)
}
