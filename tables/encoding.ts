// Bytes of a text file → UTF-8. What a file is written in is found from its first bytes that are not ASCII.
import { isAscii, isUtf8 } from 'node:buffer'
import { TableRefused } from './refusal.ts'

export type Encoding = 'UTF-8' | 'UTF-16' | 'Windows-1252'

const NEWLINE = 10
/** Bytes that Windows-1252 leaves undefined: with one of them a text is in neither encoding. */
const UNDEFINED = [0x81, 0x8d, 0x8f, 0x90, 0x9d]

/** What the first bytes of files are that are no text. */
const OTHERS: [number[], string][] = [
  [[0xd0, 0xcf, 0x11, 0xe0], 'is a workbook of Excel 97 (.xls): save it as .xlsx or as CSV UTF-8'],
  [[0x1f, 0x8b], 'is packed twice: unpack it once'],
  [[0x25, 0x50, 0x44, 0x46], 'is a PDF: export it as CSV'],
  [[0x50, 0x41, 0x52, 0x31], 'is Parquet: export it as CSV'],
  [[0x5b, 0x7b], 'is JSON: export it as CSV'],
  [[0x7b, 0x22], 'is JSON: export it as CSV'],
  // What some programs name .xls.
  [[0x3c], 'is a web page or XML: open it in Excel and save it as .xlsx or as CSV UTF-8'],
]

/** One reading of a text. */
export class Decoder {
  /** What it turned out to be; a text of ASCII alone is UTF-8. */
  encoding: Encoding = 'UTF-8'

  /** @throws TableRefused invalid_encoding */
  async *decode(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let decode: ((chunk: Buffer) => Buffer) | null = null
    let isFirst = true
    for await (const chunk of chunks) {
      if (isFirst) decode = this.#decoderByStart(chunk)
      isFirst = false
      if (!decode && !isAscii(chunk)) decode = this.#decoderByText(chunk)
      yield decode ? decode(chunk) : chunk
    }
  }

  #decoderByStart(chunk: Buffer): ((chunk: Buffer) => Buffer) | null {
    const other = OTHERS.find(([start]) => start.every((byte, at) => chunk[at] === byte))
    if (other) throw new TableRefused('invalid_encoding', `the file ${other[1]}`)
    const label = utf16Of(chunk)
    if (!label) return null
    this.encoding = 'UTF-16'
    return reencode(new TextDecoder(label))
  }

  #decoderByText(chunk: Buffer): (chunk: Buffer) => Buffer {
    if (isMostlyUtf8(chunk)) return (text) => text
    this.encoding = 'Windows-1252'
    const decode = reencode(new TextDecoder('windows-1252'))
    return (text) => {
      if (!UNDEFINED.some((byte) => text.includes(byte))) return decode(text)
      const message = 'the text is neither UTF-8 nor Windows-1252: save the file as UTF-8'
      throw new TableRefused('invalid_encoding', message)
    }
  }
}

const reencode = (decoder: InstanceType<typeof TextDecoder>) => (chunk: Buffer) =>
  Buffer.from(decoder.decode(chunk, { stream: true }))

/** By the byte order mark, or by the zero that is half of each Latin letter. */
function utf16Of([first, second, third, fourth]: Buffer): string | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first && second === 0 && third && fourth === 0) return 'utf-16le'
  if (first === 0 && second && third === 0 && fourth) return 'utf-16be'
  return null
}

/** Whether as many lines are UTF-8 as are not: a few broken rows do not change how the others are read. */
function isMostlyUtf8(chunk: Buffer): boolean {
  let balance = 0
  for (let at = 0; at < chunk.length;) {
    const end = chunk.indexOf(NEWLINE, at)
    // The last line may end within a character.
    const line = end < 0 ? chunk.subarray(at) : chunk.subarray(at, end)
    at = end < 0 ? chunk.length : end + 1
    if (isAscii(line)) continue
    if (isUtf8(line) || (end < 0 && isCutUtf8(line))) balance++
    else balance--
  }
  return balance >= 0
}

/** Whether the text is UTF-8 but for a last character that is not whole. */
const isCutUtf8 = (text: Buffer): boolean =>
  [1, 2, 3].some((cut) => {
    const [first = 0, ...others] = text.subarray(-cut)
    const isStart = first >= 0xc2 && first <= 0xf4 && others.every((byte) => byte >> 6 === 2)
    return isStart && isUtf8(text.subarray(0, -cut))
  })
