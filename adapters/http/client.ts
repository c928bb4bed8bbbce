// The HTTP client of all adapters. It only reads: see read-list.ts.
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import axios from 'axios'
import type { AxiosResponse } from 'axios'
import type { Credentials } from '../adapter.ts'
import { Fatal, Retriable } from '../errors.ts'
import { type Address, assertReads, type ReadList } from './address.ts'
import { parseJson } from './json.ts'
import { readAuthorities } from './authorities.ts'
import { Budget } from './budget.ts'
import { connectionFailure, failureOf, serverTime } from './failures.ts'
import { withConnectTimeout } from './connect-timeout.ts'
import { assertReachable } from './quick.ts'
import { LONGEST_WAIT_MS, retryTransient } from './retry.ts'

export interface HttpSettings {
  address: Address
  reads: ReadList
  credentials: Credentials | null
  /** Concurrent requests, over all streams of the source. */
  concurrency: number
  /** PEM file of certification authorities that are trusted in addition to the usual ones. */
  caFile?: string | null
  /** Longest time without data from the ERP. */
  timeoutMs?: number
  /** Largest answer accepted. */
  maxBytes?: number
  /** Whether a refusal, of whatever status, only says that there are too many requests at a time. */
  isTooMany?: (answer: Buffer) => boolean
  /** The header that carries the credentials; `authorization` unless given. */
  credentialHeader?: 'authorization' | 'cookie'
  /** Whether an answer other than 401 says that the credentials are no longer valid. */
  isExpired?: (answer: Buffer) => boolean
}

export interface Answer<T> {
  body: T
  /** The request's address, to resolve relative links. */
  url: URL
  /** The ERP's clock, milliseconds since 1970; null without a Date header. */
  serverTime: number | null
  /** The cookies that came with it, `name=value`. */
  cookies: string[]
}

interface Request {
  method: 'GET' | 'POST'
  url: URL
  body?: unknown
  headers?: Record<string, string>
  parse?: Parse
}

/** @throws SyntaxError where the answer is not whole */
type Parse = (answer: Buffer) => unknown

const TIMEOUT_MS = 120_000
const MAX_BYTES = 128 * 1024 * 1024

/**
 * Reads JSON from one ERP. Transient failures are retried here, so that a long read does not start
 * again because of one failed page.
 */
export class HttpClient {
  readonly address: Address
  readonly #settings: HttpSettings
  readonly #budget: Budget
  readonly #agent: HttpAgent | HttpsAgent

  /** @throws Fatal ca_file_unreadable */
  constructor(settings: HttpSettings) {
    const { address, concurrency, caFile } = settings
    this.address = address
    this.#settings = settings
    this.#budget = new Budget(concurrency)
    const keepAlive = { keepAlive: true, maxSockets: concurrency, scheduling: 'lifo' as const }
    this.#agent = withConnectTimeout(
      address.origin.startsWith('https:')
        ? new HttpsAgent({ ...keepAlive, ...(caFile ? { ca: readAuthorities(caFile) } : {}) })
        : new HttpAgent(keepAlive),
    )
  }

  /**
   * @throws Fatal `forbidden`, `unauthorized`, `not_found`, `request_refused`, `redirected`,
   *   `login_page`, `unexpected_content`, `answer_too_large`, `tls_untrusted`,
   *   `request_not_allowed` (before a connection is opened), or the error of the credentials
   * @throws Retriable after six tries, or at once where the ERP asks for more than a minute
   */
  get<T>(
    url: URL,
    signal: AbortSignal,
    headers?: Record<string, string>,
    parse?: Parse,
  ): Promise<Answer<T>> {
    return this.#ask({ method: 'GET', url, headers, parse }, signal)
  }

  /** Reads by POST; otherwise like {@link get}. */
  post<T>(
    url: URL,
    body: unknown,
    signal: AbortSignal,
    headers?: Record<string, string>,
  ): Promise<Answer<T>> {
    return this.#ask({ method: 'POST', url, body, headers }, signal)
  }

  async #ask<T>(request: Request, signal: AbortSignal): Promise<Answer<T>> {
    const { reads } = this.#settings
    assertReads(reads, request.method, this.address.pathOf(request.url))
    signal.throwIfAborted()
    let webPages = 0
    const attempt = async () => {
      const answer = await this.#budget.run(
        () => {
          // Another request may have found no way while this one waited for its turn.
          assertReachable(signal)
          return this.#send<T>(request, signal)
        },
        LONGEST_WAIT_MS,
        signal,
      )
      if (answer !== 'web page') return answer
      if (webPages++) throw loginPageError()
      throw new Retriable(`${name(request)}: a web page came instead of data.`)
    }
    return retryTransient(attempt, signal)
  }

  async #send<T>(request: Request, signal: AbortSignal): Promise<Answer<T> | 'web page'> {
    const { credentials } = this.#settings
    let authorization = await credentials?.authorization()
    let response = await this.#exchange(request, authorization, signal)
    if (credentials && this.#isExpired(response)) {
      authorization = await credentials.authorization(authorization)
      response = await this.#exchange(request, authorization, signal)
    }
    const { headers, data: body } = response
    let { status } = response
    if (status >= 200 && status < 300) return this.#read<T>(request, response)
    if (status >= 400 && this.#settings.isTooMany?.(body)) status = 429
    const secrets = authorization ? [authorization, ...authorization.split(' ').slice(1)] : []
    const failure = failureOf({ status, headers, body, request: name(request), secrets })
    if (status === 429) this.#budget.slowDown((failure as Retriable).afterMs)
    throw failure
  }

  #isExpired({ status, data }: AxiosResponse<Buffer>): boolean {
    return status === 401 || (status >= 300 && !!this.#settings.isExpired?.(data))
  }

  async #exchange(
    { method, url, body, headers }: Request,
    authorization: string | undefined,
    signal: AbortSignal,
  ): Promise<AxiosResponse<Buffer>> {
    const { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = this.#settings
    const { credentialHeader = 'authorization' } = this.#settings
    // Another request may have been refused as one too many while this one waited for its token.
    await this.#budget.untilWelcome(LONGEST_WAIT_MS, signal)
    try {
      return await axios.request<Buffer>({
        method,
        url: url.href,
        data: body,
        headers: {
          accept: 'application/json',
          // On this machine compressing costs more time than it saves.
          'accept-encoding': this.address.isLoopback ? 'identity' : 'gzip',
          ...headers,
          ...(authorization ? { [credentialHeader]: authorization } : {}),
        },
        httpAgent: this.#agent,
        httpsAgent: this.#agent,
        responseType: 'arraybuffer',
        validateStatus: () => true,
        maxRedirects: 0,
        proxy: false,
        timeout: timeoutMs,
        maxContentLength: maxBytes,
        signal,
      })
    } catch (error) {
      signal.throwIfAborted()
      throw connectionFailure(error, `${method} ${url.pathname}`)
    }
  }

  #read<T>(request: Request, { headers, data }: AxiosResponse<Buffer>): Answer<T> | 'web page' {
    const type = String(headers['content-type'] ?? '')
    if (/html/i.test(type)) return 'web page'
    if (!/\bjson\b/i.test(type)) {
      const message = `${name(request)}: ${type || 'something'} came instead of JSON.`
      throw new Fatal('unexpected_content', message)
    }
    let body: T
    try {
      body = (request.parse ? request.parse(data) : parseJson(data.toString())) as T
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      throw new Retriable(`${name(request)}: the answer broke off.`)
    }
    this.#budget.recordSuccess()
    return {
      ...{ body, url: request.url, serverTime: serverTime(headers) },
      cookies: cookiesOf(headers['set-cookie']),
    }
  }
}

const cookiesOf = (headers: string[] = []) => headers.map((header) => header.split(';')[0]!)

const name = ({ method, url }: Request) => `${method} ${url.pathname}`

/** Fatal only after a second try, because a restarting system also shows a logon page for a moment. */
function loginPageError(): Fatal {
  const message =
    'The ERP answers with a web page instead of data: the address is that of its user interface, ' +
    'or this user may not log on to its services.'
  return new Fatal('login_page', message)
}
