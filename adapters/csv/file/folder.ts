// The only module that opens files of this machine; it opens nothing outside the root.
import { constants, realpathSync, statSync } from 'node:fs'
import { open, readdir, realpath, stat } from 'node:fs/promises'
import path, { join } from 'node:path'
import { Fatal } from '../../errors.ts'
import type { FileState, SourceFile, SourceFiles } from './source-files.ts'

// NOFOLLOW: a symbolic link that replaces the file after the check is refused. NONBLOCK: a pipe does not hang.
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** The folder of one account below a root. */
export class Folder implements SourceFiles {
  readonly isRemote = false
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

  async names(): Promise<string[]> {
    return (await readdir(this.locate())).sort()
  }

  async state(name: string): Promise<FileState | null> {
    const found = await stat(join(this.locate(), name)).catch(() => null)
    return found && { size: found.size, changedAt: found.mtimeMs }
  }

  async open(name: string): Promise<SourceFile> {
    const unreadable = () => new Fatal('file_not_readable', `${name} cannot be opened.`, name)
    const path = await realpath(join(this.locate(), name)).catch(() => {
      throw unreadable()
    })
    if (!isBelow(this.#resolve(this.#root), path)) {
      throw new Fatal('file_not_allowed', `${name} is a link to a place outside the root.`, name)
    }
    const handle = await open(path, READ_FLAGS).catch(() => {
      throw unreadable()
    })
    if ((await handle.stat()).isFile()) return { name, handle }
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

/** Whether a path is the root or below it. */
export function isBelow(root: string, file: string, system: path.PlatformPath = path): boolean {
  const way = system.relative(root, file)
  return way !== '..' && !way.startsWith(`..${system.sep}`) && !system.isAbsolute(way)
}

/** Whether an account can be a folder below a root, on any system: `north`, `north/2026` or `north\2026`. */
export const isFolderName = (account: string): boolean =>
  account !== '' &&
  !account.includes('\0') &&
  !/^[A-Za-z]:/.test(account) &&
  !path.win32.isAbsolute(account) &&
  !account.split(/[\\/]/).includes('..')
