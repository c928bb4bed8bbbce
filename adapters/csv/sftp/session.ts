import { once } from 'node:events'
import PQueue from 'p-queue'
import type SftpClient from 'ssh2-sftp-client'
import type { Credentials } from '../../adapter.ts'
import { Fatal } from '../../errors.ts'
import { readUser } from '../../user.ts'
import { connect, type Server } from './connect.ts'

/** For so long a connection that nobody uses stays open. */
const IDLE_MS = 3_000

/** One connection, opened when it is used; what is asked of it is done in turn. */
export class Session {
  readonly #server: Server
  readonly #users: Credentials | null | undefined
  readonly #queue = new PQueue({ concurrency: 1 })
  #client: SftpClient | null = null
  #idle: NodeJS.Timeout | undefined

  constructor(server: Server, users: Credentials | null | undefined) {
    this.#server = server
    this.#users = users
  }

  /** @param signal ends what is under way, with its connection. @throws Fatal | Retriable | the signal's reason */
  use<T>(work: (client: SftpClient) => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#queue.add(async () => {
      clearTimeout(this.#idle)
      signal.throwIfAborted()
      const done = new AbortController()
      try {
        const client = (this.#client ??= await this.#logOn())
        signal.throwIfAborted()
        // The library settles nothing that is under way when its connection ends.
        return await Promise.race([work(client), rejectOnAbort(signal, done.signal)])
      } catch (error) {
        // It may be broken, so that the next one opens another.
        void this.#end()
        throw error
      } finally {
        done.abort()
        this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref()
      }
    })
  }

  async #logOn(): Promise<SftpClient> {
    const user = await readUser(this.#users)
    const client = await connect(this.#server, user)
    if (client) return client
    // Told as refused, the credentials say that a new consent is needed, or give another user.
    const other = await connect(this.#server, await readUser(this.#users, user.header))
    if (other) return other
    throw new Fatal('reconsent_required', `${this.#server.host} refuses this user or its secret.`)
  }

  async #end(): Promise<void> {
    const client = this.#client
    this.#client = null
    await client?.end().catch(() => false)
  }
}

/** @param ended where nobody waits for it any more */
async function rejectOnAbort(signal: AbortSignal, ended: AbortSignal): Promise<never> {
  await once(signal, 'abort', { signal: ended })
  throw signal.reason
}
