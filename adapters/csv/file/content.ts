// The bytes of a file together with their hash, so that a cursor and its rows belong together.
import { createHash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Fatal, Retriable } from '../../errors.ts'
import type { SourceFile } from './folder.ts'

const CHUNK_BYTES = 64 * 1024

/** One reading of an open file from its start. */
export class Content {
  /** Bytes read so far, as they stand on disk. */
  done = 0
  readonly total: number
  readonly #file: SourceFile
  readonly #signal: AbortSignal
  readonly #hash = createHash('sha256')
  readonly #stamp: string

  private constructor(file: SourceFile, signal: AbortSignal, total: number, stamp: string) {
    this.#file = file
    this.#signal = signal
    this.total = total
    this.#stamp = stamp
  }

  static async of(file: SourceFile, signal: AbortSignal): Promise<Content> {
    const { size } = await file.handle.stat()
    return new Content(file, signal, size, await stampOf(file))
  }

  /** The text's bytes, unpacked where the file is gzip. @throws Fatal invalid_gzip | Retriable */
  async *chunks(): AsyncGenerator<Buffer> {
    if (!this.#file.name.endsWith('.gz')) return void (yield* this.raw())
    const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
    // The error reaches whoever iterates; the callback only keeps it from being thrown twice.
    pipeline(Readable.from(this.raw()), gunzip, () => {})
    try {
      yield* gunzip
    } catch (error) {
      if (!/^Z_/.test((error as NodeJS.ErrnoException).code ?? '')) throw error
      await this.#refuseChange()
      const { name } = this.#file
      throw new Fatal('invalid_gzip', `${name} is no whole gzip file.`, name)
    }
  }

  /**
   * SHA-256 of all that was read, hexadecimal; to be asked once the reading has come to its end.
   * @throws Retriable when the file changed meanwhile
   */
  async hash(): Promise<string> {
    await this.#refuseChange()
    return this.#hash.digest('hex')
  }

  /** The bytes as they stand on disk. @throws the signal's reason */
  async *raw(): AsyncGenerator<Buffer> {
    for (;;) {
      this.#signal.throwIfAborted()
      const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)
      const { bytesRead } = await this.#file.handle.read(chunk, 0, CHUNK_BYTES, this.done)
      if (!bytesRead) return
      this.done += bytesRead
      this.#hash.update(chunk.subarray(0, bytesRead))
      yield chunk.subarray(0, bytesRead)
    }
  }

  async #refuseChange(): Promise<void> {
    if ((await stampOf(this.#file)) === this.#stamp) return
    throw new Retriable(`${this.#file.name} changed while it was read.`)
  }
}

/** SHA-256 of a file's bytes, hexadecimal. @throws Retriable when it changed meanwhile */
export async function hashOf(file: SourceFile, signal: AbortSignal): Promise<string> {
  const content = await Content.of(file, signal)
  const bytes = content.raw()
  while (!(await bytes.next()).done);
  return content.hash()
}

async function stampOf(file: SourceFile): Promise<string> {
  const { size, mtimeNs, ctimeNs } = await file.handle.stat({ bigint: true })
  return [size, mtimeNs, ctimeNs].join()
}
