// Where the keys come from that seal secrets: docs/decisions/0011-secrets-at-rest.md.
import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import cds from '@sap/cds'
import { environment, isProduction, ownFolder } from '../../settings/config.ts'
import { Refusal } from '../../errors.ts'
import { type SealingKey, sealingKey } from './seal.ts'

const KEY_BYTES = 32
const NAME = 'RESTOCK_ENCRYPTION_KEY'

export interface KeyRing {
  /** Seals what is stored from now on. */
  present: SealingKey
  /** Opens what is stored: the present key and those before it, by their ids. */
  all: Map<string, SealingKey>
}

let known: { source: string; ring: KeyRing } | undefined

/** @throws Refusal internal_error where there is no key or a malformed one; it says what to set */
export function keyRing(): KeyRing {
  const given = fromEnvironment() ?? fromBinding() ?? fromDevelopment()
  const source = JSON.stringify(given)
  if (known?.source === source) return known.ring
  const present = parse(given.present, given.where)
  const previous = given.previous.map((text) => parse(text, `${given.where} (previous)`))
  const all = new Map([present, ...previous].map((key) => [key.id, key]))
  known = { source, ring: { present, all } }
  return known.ring
}

interface Given {
  where: string
  present: string
  previous: string[]
}

/** `RESTOCK_ENCRYPTION_KEY`, and those before it in `RESTOCK_ENCRYPTION_KEY_PREVIOUS`, joined by commas. */
function fromEnvironment(): Given | null {
  const { RESTOCK_ENCRYPTION_KEY: present, RESTOCK_ENCRYPTION_KEY_PREVIOUS: previous = '' } =
    environment()
  if (!present) return null
  return { where: NAME, present, previous: list(previous) }
}

/** A bound service named `restock-encryption-key` with the credentials `key` and, if any, `previous`. */
function fromBinding(): Given | null {
  const name = 'restock-encryption-key'
  const { credentials } = (cds.env.requires as Record<string, Binding | undefined>)[name] ?? {}
  if (!credentials?.key) return null
  const { key, previous = [] } = credentials
  return {
    where: name,
    present: key,
    previous: Array.isArray(previous) ? previous : list(previous),
  }
}

interface Binding {
  credentials?: { key?: string; previous?: string | string[] }
}

/** Development makes itself a key at first need. */
function fromDevelopment(): Given {
  if (isProduction()) {
    throw new Refusal(
      'internal_error',
      `Secrets cannot be stored: set ${NAME} to 32 random bytes in base64 (openssl rand -base64 32), ` +
        'or bind a service named restock-encryption-key.',
    )
  }
  const file = path.join(ownFolder(), 'encryption-key')
  return { where: file, present: readOrMake(file), previous: [] }
}

/** The first process creates the file, completely and readable only by its owner; the others read it. */
function readOrMake(file: string): string {
  const stored = readIfThere(file)
  if (stored) return stored
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600 })
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  return readFileSync(file, 'utf8').trim()
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

const list = (text: string) =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')

function parse(text: string, where: string): SealingKey {
  const trimmed = text.trim()
  const bytes = Buffer.from(trimmed, 'base64')
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(trimmed)
  if (isBase64 && bytes.length === KEY_BYTES) return sealingKey(bytes)
  throw new Refusal(
    'internal_error',
    `${where} must be 32 bytes in base64: openssl rand -base64 32.`,
  )
}
