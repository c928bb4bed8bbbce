// Whether the database can be used at present. CAP's pool waits for a connection until a call's time is over, asks a server
// that is gone again without a pause, and waits without end for an answer that will not come. Tried with
// @cap-js/db-service 3 and generic-pool 3. Needed until the pool fails at once while the database is away.
import { setTimeout as sleep } from 'node:timers/promises'
import cds from '@sap/cds'
import { within } from '../work/worker.ts'
import { DatabaseAway, isFullOfClients, noteBroken } from './database-faults.ts'

/** How connections are opened and closed; `breakOff` ends one whose statement is waiting. */
interface Driver<Connection> {
  create(tenant?: string): Promise<Connection>
  destroy(connection: Connection): unknown
  breakOff(connection: Connection): void
}

/** If no waiting statement was answered for this long, a separate connection checks whether the server is alive. */
const SILENT_MS = 800
const PROBE_MS = 1_400
const CONNECT_MS = 2_000
/** The pause between two attempts while the database is away. */
const AGAIN_MS = 500
const LOOK_MS = 200

/**
 * Guards the pool. While the database is away, requests for a connection are refused at once, and nobody waits longer for a
 * connection or the answer to a statement. The watch notices by itself when the database is back.
 */
export class DatabaseWatch<Connection extends object> {
  readonly #driver: Driver<Connection>
  readonly #open = new Set<Connection>()
  /** When each unanswered statement was sent, the oldest first. */
  readonly #statements = new Set<{ sentAt: number }>()
  readonly #waiting = new Set<(error: Error) => void>()
  #answeredAt = 0
  #isProbing = false
  #fault: Error | undefined
  #back = Promise.resolve()
  #isClosed = false

  constructor(driver: Driver<Connection>) {
    this.#driver = driver
    setInterval(() => void this.#suspect(), LOOK_MS).unref()
  }

  get isAway(): boolean {
    return this.#fault !== undefined
  }

  /** A connection for the pool, which asks again as soon as it is refused one. @throws what the driver throws */
  async create(tenant?: string): Promise<Connection> {
    await this.#back
    if (this.#isClosed) {
      // The pool asks again as soon as it is refused: without a pause nothing else would run.
      await sleep(AGAIN_MS)
      throw new DatabaseAway('The service has stopped: it uses no database.')
    }
    const connecting = this.#driver.create(tenant)
    try {
      const connection = await within(connecting, CONNECT_MS)
      this.#open.add(connection)
      return connection
    } catch (error) {
      this.#destroyLater(connecting)
      if (!this.#open.size) this.#goAway(error as Error)
      else await sleep(AGAIN_MS)
      throw error
    }
  }

  /** Must be called when a connection has closed. */
  forget(connection: Connection) {
    this.#open.delete(connection)
  }

  /**
   * @param milliseconds how long to wait at most
   * @throws DatabaseAway while or as soon as the database is away, or when the time is over
   */
  acquire<C>(
    get: () => Promise<C>,
    giveBack: (connection: C) => unknown,
    milliseconds?: number,
  ): Promise<C> {
    if (this.#fault) return Promise.reject(new DatabaseAway(this.#fault.message))
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject)
      const isWaiting = () => this.#waiting.delete(reject)
      const giveUp = () => isWaiting() && reject(new DatabaseAway('All connections are in use.'))
      const timer = milliseconds === undefined ? undefined : setTimeout(giveUp, milliseconds)
      get()
        .then(
          (connection) => (isWaiting() ? resolve(connection) : void giveBack(connection)),
          (error: Error) => isWaiting() && reject(error),
        )
        .finally(() => clearTimeout(timer))
    })
  }

  /** Follows a statement until it is answered. */
  async follow<T>(answer: Promise<T>): Promise<T> {
    const statement = { sentAt: Date.now() }
    this.#statements.add(statement)
    try {
      return await answer
    } catch (error) {
      noteBroken(error)
      throw error
    } finally {
      this.#statements.delete(statement)
      this.#answeredAt = Date.now()
    }
  }

  /** Opens no more connections, at shutdown. */
  close() {
    this.#isClosed = true
  }

  async #suspect() {
    const [oldest] = this.#statements
    const since = Math.max(this.#answeredAt, oldest?.sentAt ?? Infinity)
    if (this.#isProbing || this.isAway || Date.now() - since < SILENT_MS || !oldest) return
    this.#isProbing = true
    const fault = await this.#probe()
    this.#isProbing = false
    if (fault && !isFullOfClients(fault)) this.#goAway(fault)
    else this.#answeredAt = Date.now()
  }

  async #probe(): Promise<Error | null> {
    const connecting = this.#driver.create()
    const result = await within(connecting, PROBE_MS).then(
      () => null,
      (error: Error) => error,
    )
    this.#destroyLater(connecting)
    return result
  }

  #destroyLater(connecting: Promise<Connection>) {
    connecting.then(
      (connection) => this.#driver.destroy(connection),
      () => {},
    )
  }

  #goAway(fault: Error) {
    if (this.#fault) return
    this.#fault = fault
    const awaySince = Date.now()
    for (const reject of this.#waiting) reject(new DatabaseAway(fault.message))
    this.#waiting.clear()
    for (const connection of this.#open) this.#driver.breakOff(connection)
    this.#open.clear()
    cds.log('db').warn('the database is away:', fault.message)
    this.#back = this.#awaitReturn().then(() => {
      if (this.#isClosed) return
      const seconds = Math.round((Date.now() - awaySince) / 1000)
      cds.log('db').warn(`the database is back after ${seconds} s`)
    })
  }

  async #awaitReturn() {
    do await sleep(AGAIN_MS)
    while (!this.#isClosed && (await this.#probe()))
    this.#fault = undefined
  }
}
