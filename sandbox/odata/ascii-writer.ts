/** Size of a piece of an answer, bytes. */
export const PIECE = 128 * 1024
/** Room for one row with its expanded rows, bytes. */
const ROOM = 64 * 1024
const LONG = 48

/** Sent buffers are reused, because allocating new ones is slow. */
const free: Buffer[] = []

/** Returns a sent piece for reuse. */
export function release(piece: Buffer): void {
  free.push(Buffer.from(piece.buffer))
}

const acquire = () => free.pop() ?? Buffer.allocUnsafeSlow(PIECE + ROOM)

/** Writes ASCII text byte by byte, which is several times faster than joining strings. */
export class AsciiWriter {
  #buffer = acquire()
  #at = 0

  get full(): boolean {
    return this.#at >= PIECE
  }

  bytes(bytes: Uint8Array): void {
    this.#buffer.set(bytes, this.#at)
    this.#at += bytes.length
  }

  /** @param text ASCII only */
  text(text: string): void {
    const { length } = text
    const buffer = this.#buffer
    const at = this.#at
    if (length > LONG) buffer.write(text, at, 'latin1')
    else for (let i = 0; i < length; i++) buffer[at + i] = text.charCodeAt(i)
    this.#at += length
  }

  byte(code: number): void {
    this.#buffer[this.#at++] = code
  }

  /** The bytes written since the last call; release them after sending. */
  take(): Buffer {
    const piece = this.#buffer.subarray(0, this.#at)
    this.#buffer = acquire()
    this.#at = 0
    return piece
  }
  /** The remaining bytes; nothing can be written afterwards. */
  end(): Buffer {
    return this.#buffer.subarray(0, this.#at)
  }
}
