// A folder on an SFTP server. Files are fetched to a temporary place without a name, and never written there.
import { once } from 'node:events'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Writable } from 'node:stream'
import type { Connection } from '../../adapter.ts'
import { Fatal, Retriable } from '../../errors.ts'
import { isSame } from '../file/settle.ts'
import type { FileState, SourceFile, SourceFiles } from '../file/source-files.ts'
import { csvOptions } from '../options.ts'
import { Session } from './session.ts'

/** For so long a list of names is taken to be the present one: all streams of a sync ask for it at once. */
const LISTED_MS = 1_000

class RemoteFolder implements SourceFiles {
  readonly isRemote = true
  readonly #session: Session
  readonly #folder: string
  #listed: { at: number; names: Promise<string[]> } | undefined

  /** @param folder on the server: from its root, or from where the user starts */
  constructor(session: Session, folder: string) {
    this.#session = session
    this.#folder = folder
  }

  names(signal: AbortSignal): Promise<string[]> {
    const now = Date.now()
    if (!this.#listed || now - this.#listed.at > LISTED_MS)
      this.#listed = { at: now, names: this.#list(signal) }
    return this.#listed.names
  }

  async state(name: string, signal: AbortSignal): Promise<FileState | null> {
    const find = this.#session.use(async (client) => {
      // The library takes a file that is gone for an error, which would end the connection.
      const found = await client.stat(this.#pathOf(name)).catch((error: unknown) => {
        if (isMissing(error)) return null
        throw error
      })
      return found && { size: found.size, changedAt: found.modifyTime }
    }, signal)
    return find.catch((error: unknown) => {
      signal.throwIfAborted()
      throw refusalOf(error, name)
    })
  }

  async open(name: string, signal: AbortSignal): Promise<SourceFile> {
    const before = await this.state(name, signal)
    const handle = await openNameless()
    try {
      await this.#fetch(name, handle, signal)
      if (!isSame(before, await this.state(name, signal)))
        throw new Retriable(`${name} changed while it was fetched.`)
      return { name, handle }
    } catch (error) {
      await handle.close()
      signal.throwIfAborted()
      throw refusalOf(error, name)
    }
  }

  #fetch(name: string, handle: FileHandle, signal: AbortSignal): Promise<void> {
    return this.#session.use(async (client) => {
      const file = writerOf(handle)
      const isWritten = once(file, 'finish')
      isWritten.catch(() => {})
      await client.get(this.#pathOf(name), file)
      await isWritten
    }, signal)
  }

  async #list(signal: AbortSignal): Promise<string[]> {
    try {
      const found = await this.#session.use((client) => client.list(this.#folder), signal)
      return found.map(({ name }) => name).sort()
    } catch (error) {
      this.#listed = undefined
      signal.throwIfAborted()
      if (!isMissing(error)) throw refusalOf(error, this.#folder)
      const message = `There is no folder ${JSON.stringify(this.#folder)} on the server.`
      throw new Fatal('folder_not_found', message, 'account')
    }
  }

  #pathOf(name: string): string {
    return path.posix.join(this.#folder, name)
  }
}

/** A file that its owner alone could have opened, and that is gone with its handle, whatever happens. */
async function openNameless(): Promise<FileHandle> {
  const folder = await mkdtemp(path.join(tmpdir(), 'restock-'))
  try {
    return await open(path.join(folder, 'file'), 'wx+', 0o600)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Writes by position, so that the file is read from its start; a stream of Node's would hold the handle for good. */
function writerOf(handle: FileHandle): Writable {
  let done = 0
  const writeAll = async (chunk: Buffer) => {
    for (let at = 0; at < chunk.length;) {
      const { bytesWritten } = await handle.write(chunk, at, chunk.length - at, done)
      at += bytesWritten
      done += bytesWritten
    }
  }
  return new Writable({
    write(chunk: Buffer, _, next) {
      writeAll(chunk).then(() => next(), next)
    },
  })
}

/** The answers of the protocol: draft-ietf-secsh-filexfer-02, 7. */
const NO_SUCH_FILE = 2
const DENIED = 3

const codeOf = (error: unknown) => (error as { code?: unknown }).code

const isMissing = (error: unknown) =>
  codeOf(error) === NO_SUCH_FILE || codeOf(error) === 'ENOENT' || codeOf(error) === 'ERR_NOT_EXIST'

/** What a failure of the library or of this machine's disk means; others are what they are. */
function refusalOf(error: unknown, name: string): unknown {
  if (error instanceof Fatal || error instanceof Retriable) return error
  const { message } = error as Error
  if (codeOf(error) === 'ENOSPC')
    return new Fatal('disk_full', `There is no room for ${name} among the temporary files.`, name)
  if (isMissing(error) || codeOf(error) === DENIED)
    return new Fatal('file_not_readable', `The server does not give ${name}: ${message}.`, name)
  return new Retriable(`${name} could not be fetched: ${message}`)
}

const PORT = 22

/** The folder that the account names on the server of the options. */
export function remoteFolder({ account, credentials, options }: Connection): RemoteFolder {
  const { host, port = PORT, host_key = '' } = csvOptions.parse(options)
  if (account.includes('\0'))
    throw new Fatal(
      'folder_not_allowed',
      'The account must name a folder of the server.',
      'account',
    )
  const server = { host: host!, port, hostKeys: host_key.split(',').map((key) => key.trim()) }
  return new RemoteFolder(new Session(server, credentials), account)
}
