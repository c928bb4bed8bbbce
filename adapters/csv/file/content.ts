// Reads a file and hashes the same bytes, so that the cursor matches the rows that were read.
import { createHash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Fatal, Retriable } from '../../errors.ts'
import type { SourceFile } from './source-files.ts'

const CHUNK_BYTES = 64 * 1024
const GZIP_MAGIC = 0x1f8b

/** One reading of an open file from its start. */
export class Content {
  /** Bytes of the file read so far, before unpacking. */
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

  /** The bytes of the text, unpacked if the file is gzip, whatever its name. @throws Fatal invalid_gzip | Retriable */
  async *chunks(): AsyncGenerator<Buffer> {
    const start = await this.#file.handle.read(Buffer.alloc(2), 0, 2, 0)
    if (start.buffer.readUInt16BE() !== GZIP_MAGIC) return void (yield* this.raw())
    const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
    // The consumer of the iterator gets the error; without this callback it would also be thrown here.
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
   * SHA-256 of the bytes read, hexadecimal; call it only after the whole file was read.
   * @throws Retriable when the file changed while it was read
   */
  async hash(): Promise<string> {
    await this.#refuseChange()
    return this.#hash.digest('hex')
  }

  /** The bytes of the file, not unpacked. @throws the signal's reason */
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

/** SHA-256 of a file's bytes, hexadecimal. @throws Retriable when it changed while it was read */
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
