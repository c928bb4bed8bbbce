// One database: how many sessions it is asked for at a time, who logs on, and that this login can only read.
import PQueue from 'p-queue'
import type { Connection, Credentials } from '../adapter.ts'
import { Fatal } from '../errors.ts'
import { readAuthorities } from '../http/authorities.ts'
import { readUser } from '../user.ts'
import { databaseOf, type DatabaseAddress } from './address.ts'
import { absent } from './dialects/failures.ts'
import { dialectNamed } from './dialects/index.ts'
import {
  type ColumnSpellings,
  type Dialect,
  LogonRefused,
  type Session,
} from './dialects/dialect.ts'
import { sqlOptions, type SqlOptions } from './options.ts'
import type { View } from './views.ts'

export class System {
  readonly options: SqlOptions
  readonly dialect: Dialect
  readonly schema: string
  readonly #address: DatabaseAddress
  readonly #credentials: Credentials | null
  readonly #sessions: PQueue
  /** Asked once: a login that can only read does not gain rights while it reads. */
  #verified: Promise<void> | undefined

  /** @throws Fatal invalid_address | insecure_address | ca_file_unreadable */
  constructor({ account, options, credentials }: Connection) {
    this.options = sqlOptions.parse(options)
    this.#address = databaseOf(account)
    this.#credentials = credentials ?? null
    this.dialect = dialectNamed(this.#address.dialect)
    this.schema = this.options.schema ?? this.dialect.schemaOf(this.#address.database)
    this.#sessions = new PQueue({ concurrency: this.options.concurrency })
    this.#assertSecure()
  }

  /** Its name as the database and people call it. */
  nameOf({ name }: Pick<View, 'name'>): string {
    return `${this.schema}.${this.options.prefix}${name}`
  }

  /** The view, quoted. */
  quoted({ name }: Pick<View, 'name'>): string {
    const { quote } = this.dialect
    return `${quote(this.schema)}.${quote(this.options.prefix + name)}`
  }

  /**
   * Logs on for one use; not more at a time than the options allow.
   * @param doing for messages, such as a view
   * @throws Fatal | Retriable | the signal's reason
   */
  async *use<T>(
    doing: string,
    signal: AbortSignal,
    work: (session: Session) => AsyncGenerator<T>,
  ): AsyncGenerator<T> {
    const release = await this.#takeTurn()
    let session: Session | undefined
    try {
      signal.throwIfAborted()
      session = await this.#logOn(signal)
      await (this.#verified ??= this.#verify(session))
      yield* work(session)
    } catch (error) {
      signal.throwIfAborted()
      throw this.dialect.failureOf(error, doing)
    } finally {
      await session?.close()
      release()
    }
  }

  /**
   * The columns of a view by their names in small letters: where two differ in capitals alone, the one without counts.
   * @throws Fatal not_found | missing_column
   */
  async columnsOf(
    view: View,
    session: Session,
    more: readonly string[] = [],
  ): Promise<ColumnSpellings> {
    const { prefix } = this.options
    const found = await session.columnsOf(this.schema, prefix + view.name)
    if (!found) throw absent(this.nameOf(view))
    const spellings = new Map(found.map((name) => [name.toLowerCase(), name]))
    for (const name of found) if (name === name.toLowerCase()) spellings.set(name, name)
    const missing = [...view.required, ...more].filter((column) => !spellings.has(column))
    if (!missing.length) return spellings
    const which = missing.length > 1 ? `columns ${missing.join(', ')}` : `column ${missing[0]}`
    const hint = more.some((column) => missing.includes(column))
      ? ' The option changed_at says which views have it.'
      : ''
    throw new Fatal(
      'missing_column',
      `The view ${this.nameOf(view)} lacks the ${which}.${hint}`,
      this.nameOf(view),
    )
  }

  /** @returns what gives the turn back */
  #takeTurn(): Promise<() => void> {
    return new Promise((resolve) => {
      void this.#sessions.add(() => new Promise<void>((release) => resolve(release)))
    })
  }

  async #logOn(signal: AbortSignal, refused?: string): Promise<Session> {
    const user = await readUser(this.#credentials, refused)
    const { host, port, database } = this.#address
    const { timeout_seconds: seconds } = this.options
    const authorities = this.#authorities()
    try {
      return await this.dialect.open(
        {
          ...{ host, port, database, user: user.name, password: user.password, authorities },
          timeoutMs: seconds * 1000,
        },
        signal,
      )
    } catch (error) {
      const failure = this.dialect.failureOf(error, 'The database')
      if (!(failure instanceof LogonRefused)) throw failure
      if (refused === undefined) return this.#logOn(signal, user.header)
      throw new Fatal('reconsent_required', 'The database refuses this login.')
    }
  }

  /** @throws Fatal unexpected_rights */
  async #verify(session: Session): Promise<void> {
    const right = await session.excessRight()
    if (right === null) return
    throw new Fatal(
      'unexpected_rights',
      `This login ${right}: Restock reads with a login that can only SELECT. Take the right away, or make a login of its own.`,
      'client_id',
    )
  }

  #authorities(): string[] | true | null {
    const { tls, ca_file: file } = this.options
    if (tls === 'off' || (tls === undefined && this.#address.isLoopback && !file)) return null
    return file ? readAuthorities(file) : true
  }

  #assertSecure(): void {
    if (this.options.tls !== 'off' || this.#address.isLoopback) return
    const message = 'Without TLS only a database on this machine is read: leave the option tls out.'
    throw new Fatal('insecure_address', message, 'options.tls')
  }
}
