// The only module that opens a source's files; it opens nothing outside the root.
import { constants, realpathSync, statSync } from 'node:fs'
import { open, readdir, realpath } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { Fatal } from '../../errors.ts'
import { isBelow, isFolderName } from './inside.ts'

// NOFOLLOW: a symbolic link that replaces the file after the check is refused. NONBLOCK: a pipe does not hang.
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** What the names of files that are read end in. */
export const ENDINGS = ['.csv', '.csv.gz', '.xlsx']

/** An open file, with the name that the admin gave it. */
export interface SourceFile {
  name: string
  handle: FileHandle
}

/** The folder of one account below a root. */
export class Folder {
  readonly #root: string
  readonly #account: string

  constructor(root: string, account: string) {
    this.#root = root
    this.#account = account
  }

  /**
   * The folder's absolute path with symbolic links resolved.
   * @throws Fatal folder_not_allowed | folder_not_found
   */
  locate(): string {
    if (!isFolderName(this.#account)) this.#refuse()
    const root = this.#resolve(this.#root)
    const folder = this.#resolve(join(root, this.#account))
    if (!isBelow(root, folder)) this.#refuse()
    if (!statSync(folder).isDirectory()) this.#missing()
    return folder
  }

  /**
   * Opens `<stem>.csv`, `<stem>.csv.gz` or `<stem>.xlsx`; the caller closes it.
   * @returns null where none exists
   * @throws Fatal ambiguous_file | file_not_allowed | file_not_readable
   */
  async open(stem: string): Promise<SourceFile | null> {
    const folder = this.locate()
    // Not asked by name: systems that do not tell small letters from capitals would find Stock.csv too.
    const present = new Set(await readdir(folder))
    const [name, other] = ENDINGS.map((ending) => stem + ending).filter((name) => present.has(name))
    if (!name) return null
    if (other) throw new Fatal('ambiguous_file', `Keep ${name} or ${other}, not both.`, name)
    return { name, handle: await this.#openFile(folder, name) }
  }

  /** The names of what is in the folder. @throws Fatal like {@link locate} */
  async names(): Promise<string[]> {
    return (await readdir(this.locate())).sort()
  }

  async #openFile(folder: string, name: string): Promise<FileHandle> {
    const unreadable = () => new Fatal('file_not_readable', `${name} cannot be opened.`, name)
    const path = await realpath(join(folder, name)).catch(() => {
      throw unreadable()
    })
    if (!isBelow(this.#resolve(this.#root), path)) {
      throw new Fatal('file_not_allowed', `${name} is a link to a place outside the root.`, name)
    }
    const handle = await open(path, READ_FLAGS).catch(() => {
      throw unreadable()
    })
    if ((await handle.stat()).isFile()) return handle
    await handle.close()
    throw new Fatal('file_not_readable', `${name} is not a regular file.`, name)
  }

  #resolve(path: string): string {
    try {
      return realpathSync(path)
    } catch {
      return this.#missing()
    }
  }

  #refuse(): never {
    const message = 'The account must name a folder below the root of the csv source.'
    throw new Fatal('folder_not_allowed', message, 'account')
  }

  #missing(): never {
    const message = `There is no readable folder ${JSON.stringify(this.#account)} below the root of the csv source.`
    throw new Fatal('folder_not_found', message, 'account')
  }
}
