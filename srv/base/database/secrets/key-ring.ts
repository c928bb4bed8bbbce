// Where the keys come from that seal secrets: docs/decisions/0011-secrets-at-rest.md.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import cds from '@sap/cds'
import { Refusal } from '../../errors.ts'
import { environment, isProduction, ownFolder } from '../../settings/config.ts'

const KEY_BYTES = 32
const NAME = 'RESTOCK_ENCRYPTION_KEY'

interface KeyRing {
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

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** A key of 32 bytes, and the id that is stored with the texts that it encrypts. */
interface SealingKey {
  /** 16 hex digits that tell nothing of the key. */
  id: string
  bytes: Buffer
}

export const sealingKey = (bytes: Buffer): SealingKey => ({
  id: createHash('sha256').update('restock key id').update(bytes).digest('hex').slice(0, 16),
  bytes,
})

/**
 * Encrypts and authenticates a text: AES-256-GCM with a random nonce of 96 bits (NIST SP 800-38D).
 * @param context what the text belongs to; it can be opened there only
 * @returns base64 of nonce, ciphertext and tag
 */
export function encryptText({ bytes }: SealingKey, context: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, bytes, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.from(context))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64')
}

/** @throws Error if the key or the context differs, or a bit was changed */
export function decryptText({ bytes }: SealingKey, context: string, sealed: string): string {
  const all = Buffer.from(sealed, 'base64')
  const nonce = all.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(ALGORITHM, bytes, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(all.subarray(-TAG_BYTES))
  const body = all.subarray(NONCE_BYTES, -TAG_BYTES)
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
}
