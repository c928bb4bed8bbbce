// One connected account.
import type { Connection } from '../adapter.ts'
import { HttpClient } from '../http/client.ts'
import { AccountFacts } from './account-facts.ts'
import { roleOf, serviceAddress } from './auth.ts'
import { netsuiteOptions, type NetsuiteOptions } from './options.ts'
import { SUITEQL, SuiteQl } from './suiteql/client.ts'

/** What a refusal says that only means that there were too many requests at a time. */
const TOO_MANY = /SSS_REQUEST_LIMIT_EXCEEDED|WS_REQUEST_BLOCKED|WS_CONCUR_SESSION_DISALLWD/

export class System {
  readonly options: NetsuiteOptions
  readonly suiteQl: SuiteQl
  readonly facts: AccountFacts

  /** @throws Fatal for an account, a role or an address that cannot be */
  constructor(connection: Connection) {
    const options = netsuiteOptions.parse(connection.options)
    roleOf(connection)
    this.options = options
    const http = new HttpClient({
      address: serviceAddress(connection),
      reads: { get: [], post: [SUITEQL] },
      credentials: connection.credentials ?? null,
      concurrency: options.concurrency,
      caFile: options.ca_file,
      timeoutMs: options.timeout_seconds * 1000,
      isTooMany: (answer) => TOO_MANY.test(answer.toString()),
    })
    this.suiteQl = new SuiteQl(http, options.page_size)
    this.facts = new AccountFacts(this.suiteQl)
  }
}
