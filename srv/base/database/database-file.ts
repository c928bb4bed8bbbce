// The embedded database's file: it belongs to one process, and what is wrong with it ends the start with one sentence.
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import cds from '@sap/cds'
import type { RequestHandler } from 'express'
import { ownFolder, SettingFault } from '../settings/config.ts'
import { databaseUnavailable } from './database-faults.ts'

let heldFile: string | undefined
/** The lock on the file, which the operating system releases however the process ends. */
let lock: DatabaseSync | undefined

/** The absolute path of the embedded database; null where it is another, or in memory. */
export function databaseFile(): string | null {
  const { kind, credentials } = cds.env.requires.db as {
    kind: string
    credentials?: { url?: string }
  }
  if (kind !== 'sqlite' || !credentials?.url || credentials.url === ':memory:') return null
  return path.resolve(cds.root, credentials.url)
}

/**
 * Creates the file's folder, locks the file until the process ends, restricts it to its owner, and prepares it.
 * @throws SettingFault if another process holds it, it cannot be written, or it is no database
 */
export function holdFile(file: string, prepare: (file: string) => void) {
  let isLocked = false
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    lock = new DatabaseSync(`${file}.lock`)
    lock.exec('BEGIN EXCLUSIVE')
    isLocked = true
    assertDatabase(file)
    writeFileSync(`${file}.pid`, String(process.pid))
    keepPrivate(file)
    prepare(file)
  } catch (error) {
    lock?.close()
    if (error instanceof SettingFault) throw error
    throw new SettingFault(sentenceOf(file, error as Fault, isLocked))
  }
  heldFile = file
}

/** SQLite gives `-wal` and `-shm` the rights of the file when it makes them. */
const BESIDE = ['-wal', '-shm', '.lock', '.pid']

/**
 * Restricts the file to its owner, since it contains prices, demand and names. Windows has no such rights, and a folder that
 * existed before is left as it is.
 */
function keepPrivate(file: string) {
  closeSync(openSync(file, 'a', 0o600))
  const folder = path.dirname(file)
  if (folder === ownFolder()) allowOwner(folder, 0o700)
  for (const end of ['', ...BESIDE]) allowOwner(file + end, 0o600)
}

function allowOwner(file: string, mode: number) {
  try {
    chmodSync(file, mode)
  } catch (error) {
    const { code } = error as { code?: string }
    // If another user owns the file, its rights cannot be changed.
    if (code !== 'ENOENT') cds.log('restock').warn(`others may read ${file}:`, code)
  }
}

/** Flushes committed changes to the disk, which SQLite (`synchronous = NORMAL`) does only now and then. */
export async function makeDurable() {
  const file = databaseFile()
  const log = await open(`${file}-wal`, 'r').catch(() => null)
  try {
    await log?.sync()
  } finally {
    await log?.close()
  }
}

/** Whether no other process can work on the database. */
export const isFileHeld = () => heldFile !== undefined

/** Whether the file was removed: an open file remains usable although it is gone. */
export const isFileGone = () =>
  heldFile !== undefined && !statSync(heldFile, { throwIfNoEntry: false })

/**
 * Refuses calls that change something if the file was removed, since the changes would be lost with the process.
 * @throws Refusal
 */
export const assertFileIsThere: RequestHandler = (req, _res, next) => {
  if (!READING.has(req.method) && isFileGone()) throw databaseUnavailable()
  next()
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])

function assertDatabase(file: string) {
  if (!statSync(file, { throwIfNoEntry: false })) return
  accessSync(file, constants.W_OK)
  const database = new DatabaseSync(file)
  try {
    database.exec('BEGIN IMMEDIATE; ROLLBACK')
  } finally {
    database.close()
  }
}

/** A fault of the file system or of SQLite. */
interface Fault {
  message: string
  errcode?: number
  errstr?: string
}

const SQLITE_BUSY = 5

function sentenceOf(
  file: string,
  { message, errcode, errstr: why = message }: Fault,
  isLocked: boolean,
) {
  const shown = path.relative(process.cwd(), file)
  if (errcode === SQLITE_BUSY) {
    const holder = isLocked ? 'another program' : `process ${holderOf(file)}`
    return `The database ${shown} is in use by ${holder}: end that one, or name another file in CDS_REQUIRES_DB_CREDENTIALS_URL.`
  }
  return `The database ${shown} cannot be used (${why}): ${cureOf(errcode, file)}`
}

/** SQLite's numbers for a file that is no database, or a broken one. */
const BROKEN = [11, 26]

const cureOf = (errcode: number | undefined, file: string) =>
  BROKEN.includes(errcode ?? 0)
    ? 'restore it from a backup, or move it away to start with an empty one.'
    : `let this user write it and its folder ${path.dirname(file)}.`

function holderOf(file: string) {
  try {
    return readFileSync(`${file}.pid`, 'utf8')
  } catch {
    return 'unknown'
  }
}
