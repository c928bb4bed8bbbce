// The session of a user: a cookie that each request carries. A session holds one of the licences of the company.
import type { Connection, Credentials } from '../adapter.ts'
import { Fatal } from '../errors.ts'
import type { Address } from '../http/address.ts'
import { HttpClient } from '../http/client.ts'
import { readUser } from '../user.ts'

export const LOGIN = '/b1s/v2/Login'
export const LOGOUT = '/b1s/v2/Logout'

export interface SessionSettings {
  connection: Connection
  address: Address
  caFile: string | undefined
  timeoutMs: number
}

/** Logs on when the first request is made, again when the session is lost, and off when nobody reads any more. */
export class Session implements Credentials {
  readonly #settings: SessionSettings
  readonly #http: HttpClient
  #cookies: Promise<string> | null = null
  #readers = 0
  #unread: number

  /** @param streams how many reads there will be; the session ends behind the last one */
  constructor(settings: SessionSettings, streams: number) {
    const { address, caFile, timeoutMs } = settings
    this.#settings = settings
    this.#unread = streams
    // The only requests that are sent by POST, and nothing else is ever sent by this client.
    const reads = { get: [], post: [LOGIN] }
    this.#http = new HttpClient({
      address,
      reads,
      credentials: null,
      concurrency: 1,
      caFile,
      timeoutMs,
    })
  }

  /** The cookies of the session. @throws Fatal | Retriable, the same to all who wait for one login */
  async authorization(refused?: string): Promise<string> {
    const present = this.#cookies
    if (present && (await present) !== refused) return present
    // Who comes second finds the login of the first.
    if (this.#cookies === present) this.#cookies = this.#logIn()
    return this.#cookies!
  }

  begin(): void {
    this.#readers++
  }

  /** Logs off behind the last read. */
  async end(): Promise<void> {
    this.#unread--
    this.#readers--
    if (!this.#readers && this.#unread <= 0) await this.close()
  }

  async close(): Promise<void> {
    const present = this.#cookies
    this.#cookies = null
    const cookies = await present?.catch(() => null)
    if (cookies) await this.#logOut(cookies)
  }

  async #logIn(): Promise<string> {
    const { connection, address } = this.#settings
    const user = await readUser(connection.credentials)
    const body = { CompanyDB: connection.account, UserName: user.name, Password: user.password }
    try {
      const signal = AbortSignal.timeout(this.#settings.timeoutMs)
      const answer = await this.#http.post<Login>(address.url(LOGIN), body, signal)
      const id = answer.body.SessionId
      const route = answer.cookies.filter((cookie) => cookie.startsWith('ROUTEID='))
      // Behind a load balancer only the node that ROUTEID names knows the session.
      return [`B1SESSION=${id}`, ...route].join('; ')
    } catch (error) {
      if (!isRefusal(error)) throw error
      // A user is locked after a few wrong passwords: nobody tries again with this one.
      await readUser(connection.credentials, user.header)
      throw error
    }
  }

  /** A session that cannot be ended ends by itself half an hour later. */
  async #logOut(cookie: string): Promise<void> {
    const { address, caFile, timeoutMs } = this.#settings
    const http = new HttpClient({
      ...{ address, reads: { get: [], post: [LOGOUT] }, concurrency: 1, caFile, timeoutMs },
      ...{ credentials: { authorization: async () => cookie }, credentialHeader: 'cookie' },
    })
    const signal = AbortSignal.timeout(10_000)
    await http.post(address.url(LOGOUT), undefined, signal).catch(() => {})
  }
}

interface Login {
  SessionId: string
}

/** User, password or company are wrong. */
const isRefusal = (error: unknown) =>
  error instanceof Fatal && ['unauthorized', 'forbidden'].includes(error.code)
