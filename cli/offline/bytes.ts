import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { HistoryError } from './history-error.ts'

const CHUNK_BYTES = 64 * 1024
const GZIP_MAGIC = 0x1f8b

/** The bytes of a file, unpacked if it is gzipped. @throws HistoryError where it cannot be read */
export async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  try {
    const isPacked = await hasGzipMagic(path)
    const file = createReadStream(path, { highWaterMark: CHUNK_BYTES })
    if (!isPacked) return void (yield* file as AsyncIterable<Buffer>)
    const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
    // The consumer of the iterator gets the error; without this callback it would also be thrown here.
    pipeline(file, gunzip, () => {})
    yield* gunzip as AsyncIterable<Buffer>
  } catch (error) {
    throw toHistoryError(error, path)
  }
}

async function hasGzipMagic(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0)
    return bytesRead === 2 && buffer.readUInt16BE() === GZIP_MAGIC
  } finally {
    await file.close()
  }
}

const FILE_PROBLEMS: Record<string, string> = {
  ENOENT: 'no such file',
  EISDIR: 'is a folder',
  EACCES: 'may not be read',
}

function toHistoryError(error: unknown, path: string): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  if (code.startsWith('Z_')) return new HistoryError(`${path}: the packed file is damaged`)
  if (/^E[A-Z]+$/.test(code)) return new HistoryError(`${path}: ${FILE_PROBLEMS[code] ?? code}`)
  return error
}
