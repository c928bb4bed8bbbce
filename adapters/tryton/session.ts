// Tryton's sessions: a user logs on once; a session that is not used for a while is forgotten by the server.
import type { Credentials } from '../adapter.ts'
import { Fatal } from '../errors.ts'
import type { HttpClient } from '../http/client.ts'
import { readUser, type User } from '../user.ts'

type Login = [user: number, session: string] | null

interface LoginAnswer {
  result?: Login
  error?: unknown[]
}

/** PostgreSQL's words, and those of Tryton on SQLite; most versions answer 404 instead. */
const NO_DATABASE = /database .{0,80}(does not|doesn't) exist/i

/** Logs on when the first request is sent, and again when the server has forgotten the session. */
export class Session implements Credentials {
  readonly #http: HttpClient
  readonly #path: string
  readonly #users: Credentials | null | undefined
  readonly #target: string
  #header: Promise<string> | null = null

  /**
   * @param http sends no credentials of its own
   * @param target the field in which the database is named
   */
  constructor(
    http: HttpClient,
    path: string,
    users: Credentials | null | undefined,
    target: string,
  ) {
    this.#http = http
    this.#path = path
    this.#users = users
    this.#target = target
  }

  async authorization(refused?: string): Promise<string> {
    const held = await this.#header
    if (held === null || held === refused) this.#header = this.#start()
    return (await this.#header)!
  }

  #start(): Promise<string> {
    const header = this.#logOn()
    header.catch(() => (this.#header = null))
    return header
  }

  async #logOn(): Promise<string> {
    const user = await readUser(this.#users)
    const header = await this.#try(user)
    if (header) return header
    // Told as refused, the credentials say that a new consent is needed, or give another user.
    const other = await this.#try(await readUser(this.#users, user.header))
    if (other) return other
    throw new Fatal('reconsent_required', 'Tryton refuses this user or its password.')
  }

  /** @returns null where the user is refused */
  async #try({ name, password }: User): Promise<string | null> {
    const params = [name, { password }]
    try {
      const { body } = await this.#http.post<LoginAnswer>(
        this.#http.address.url(this.#path),
        { id: 0, method: 'common.db.login', params },
        AbortSignal.timeout(60_000),
      )
      if (body.error) throw this.#failure(body.error)
      if (!body.result) return null
      const [id, session] = body.result
      return `Session ${Buffer.from(`${name}:${id}:${session}`).toString('base64')}`
    } catch (error) {
      if (!(error instanceof Fatal)) throw error
      if (error.code === 'unauthorized') return null
      throw error.code === 'not_found' ? this.#missing() : error
    }
  }

  #failure([kind, detail]: unknown[]): Fatal {
    const said = String(Array.isArray(detail) ? detail[0] : kind)
    if (NO_DATABASE.test(said)) return this.#missing()
    return new Fatal('request_refused', `Tryton lets nobody log on: ${said.slice(0, 200)}`)
  }

  #missing(): Fatal {
    const { host, pathname } = this.#http.address.url(this.#path)
    const database = pathname.replaceAll('/', '')
    const message = `${host} has no Tryton database called ${database}.`
    return new Fatal('missing_database', message, this.#target)
  }
}
