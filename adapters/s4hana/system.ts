import type { Connection } from '../adapter.ts'
import { addressOf } from '../http/address.ts'
import { HttpClient } from '../http/client.ts'
import { ODataReader, pathsOf } from '../odata/reader.ts'
import { Once } from '../rows/memoize.ts'
import { s4hanaOptions, type S4hanaOptions } from './options.ts'
import { SERVICES } from './services.ts'

const CLOUD = /\.s4hana\.(ondemand\.com|cloud\.sap)$/i
const CLOUD_CONCURRENCY = 4
const ON_PREMISE_CONCURRENCY = 2

/** One connected S/4HANA system. */
export class System extends ODataReader {
  readonly options: S4hanaOptions
  readonly concurrency: number
  /** What several streams ask for, of one read of the source. */
  readonly once = new Once()

  /** @throws Fatal when account or options name no usable address */
  constructor(connection: Connection) {
    const options = s4hanaOptions.parse(connection.options)
    const address = addressOf(connection)
    const isCloud = CLOUD.test(new URL(address.origin).hostname)
    const concurrency =
      options.concurrency ?? (isCloud ? CLOUD_CONCURRENCY : ON_PREMISE_CONCURRENCY)
    const http = new HttpClient({
      address,
      reads: { get: pathsOf(SERVICES) },
      credentials: connection.credentials ?? null,
      concurrency,
      caFile: options.ca_file,
      timeoutMs: options.timeout_seconds * 1000,
    })
    super(http, { parameters: parametersOf(options), pageSize: options.page_size })
    this.options = options
    this.concurrency = concurrency
  }
}

function parametersOf({ sap_client: client, language }: S4hanaOptions): Record<string, string> {
  return { ...(client ? { 'sap-client': client } : {}), 'sap-language': language }
}
