import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { WrongUsage } from '../errors.ts'

/** The name of standard input in place of a file's. */
const STANDARD_INPUT = '-'

/**
 * Runs work on files, of which one may be standard input: it is written to a temporary file, because files are read more
 * than once.
 * @throws WrongUsage where several are standard input
 */
export async function withFiles<T>(
  names: (string | undefined)[],
  work: (...paths: (string | undefined)[]) => Promise<T>,
): Promise<T> {
  const given = names.filter((name) => name === STANDARD_INPUT)
  if (given.length > 1) throw new WrongUsage('Only one file can be "-", the standard input.')
  if (!given.length) return work(...names)
  const folder = await mkdtemp(join(tmpdir(), 'restock-'))
  try {
    const path = join(folder, 'standard-input')
    await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }))
    return await work(...names.map((name) => (name === STANDARD_INPUT ? path : name)))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
