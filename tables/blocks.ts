// Splits a file into blocks of whole lines, so that only one block is in memory at a time.

/** Longer lines, and longer records of several lines, are skipped. */
export const MAX_RECORD_BYTES = 1024 * 1024

const NEWLINE = 10
const EXCERPT_BYTES = 2_000

/** Consecutive whole lines of a file, each with its line end. */
export class Block {
  readonly bytes: Buffer
  /** Number of the first line, counted from 1. */
  readonly firstLine: number
  /** True if the block is the start of a line that is longer than {@link MAX_RECORD_BYTES}. */
  readonly isTooLong: boolean
  #starts: number[] | null = null

  constructor(bytes: Buffer, firstLine: number, isTooLong = false) {
    this.bytes = bytes
    this.firstLine = firstLine
    this.isTooLong = isTooLong
  }

  get lineCount(): number {
    return this.#offsets().length - 1
  }

  /** Lines `from` up to, not including, `to`; both counted from 0 within the block. */
  lines(from: number, to: number): Buffer {
    const starts = this.#offsets()
    return this.bytes.subarray(starts[from], starts[to])
  }

  /** The lines after the first `count`. */
  after(count: number): Block {
    return new Block(this.lines(count, this.lineCount), this.firstLine + count)
  }

  /** The text of lines, by their number in the file, for display. */
  text(line: number, lineCount: number): string {
    const from = line - this.firstLine
    return this.lines(from, from + lineCount)
      .subarray(0, EXCERPT_BYTES)
      .toString()
  }

  #offsets(): number[] {
    if (this.#starts) return this.#starts
    const starts = [0]
    let next = this.bytes.indexOf(NEWLINE)
    while (next >= 0 && next + 1 < this.bytes.length) {
      starts.push(next + 1)
      next = this.bytes.indexOf(NEWLINE, next + 1)
    }
    if (this.bytes.length) starts.push(this.bytes.length)
    return (this.#starts = starts)
  }
}

/** Splits a stream of bytes at line ends; memory stays bounded even for very long lines. */
export async function* blocks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Block> {
  let line = 1
  let rest: Buffer = Buffer.alloc(0)
  let isDropping = false
  for await (let chunk of chunks) {
    if (isDropping) {
      const end = chunk.indexOf(NEWLINE)
      if (end < 0) continue
      chunk = chunk.subarray(end + 1)
      isDropping = false
    }
    const bytes = rest.length ? Buffer.concat([rest, chunk]) : chunk
    const end = bytes.lastIndexOf(NEWLINE) + 1
    if (end) {
      const block = new Block(bytes.subarray(0, end), line)
      yield block
      line += block.lineCount
    }
    rest = bytes.subarray(end)
    if (rest.length > MAX_RECORD_BYTES) {
      yield new Block(Buffer.from(rest.subarray(0, EXCERPT_BYTES)), line, true)
      line++
      rest = Buffer.alloc(0)
      isDropping = true
    }
  }
  if (rest.length) yield new Block(rest, line)
}
