/** Bytes of one piece of an answer. */
export const PIECE = 128 * 1024
/** A row, with all that is expanded in it, must fit in this. */
const ROOM = 64 * 1024
const LONG = 48

/** Buffers that have been sent and can be used again: new ones of this size cost page faults. */
const free: Buffer[] = []

/** Gives a piece back once it was sent. */
export function release(piece: Buffer): void {
  free.push(Buffer.from(piece.buffer))
}

const acquire = () => free.pop() ?? Buffer.allocUnsafeSlow(PIECE + ROOM)

/** ASCII text that grows byte by byte: several times faster than joining strings. */
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

  /** What was written since the last time; to be released when it was sent. */
  take(): Buffer {
    const piece = this.#buffer.subarray(0, this.#at)
    this.#buffer = acquire()
    this.#at = 0
    return piece
  }
  /** The rest; nothing can be written after it. */
  end(): Buffer {
    return this.#buffer.subarray(0, this.#at)
  }
}
