import type { FileHandle } from 'node:fs/promises'
import { Fatal } from '../../errors.ts'

/** An open file, with the name that the admin gave it. */
export interface SourceFile {
  name: string
  handle: FileHandle
}

/** What changes as long as a file is written. */
export interface FileState {
  /** Bytes. */
  size: number
  /** Milliseconds since 1970, by the clock of where the file is. */
  changedAt: number
}

/** Where the files of a source are. All its methods throw Fatal where it cannot be read, and Retriable. */
export interface SourceFiles {
  /** Reading a file takes long, so that one of the same size and time is taken to be the same. */
  isRemote: boolean
  names(signal: AbortSignal): Promise<string[]>
  /** Null where the file is gone. */
  state(name: string, signal: AbortSignal): Promise<FileState | null>
  /** The caller closes it. @throws Fatal file_not_allowed | file_not_readable */
  open(name: string, signal: AbortSignal): Promise<SourceFile>
}

/** A file that is not whole yet: what was read of it before stands. */
export const awaited = (name: string, why: string) =>
  new Fatal('file_awaited', `${name} is awaited: ${why}.`, name)
