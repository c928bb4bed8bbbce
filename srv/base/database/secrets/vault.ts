// The credentials of sources, encrypted. Only code that calls the source's own ERP reads them.
import cds from '@sap/cds'
import { Fatal } from '../../../../adapters/errors.ts'
import { runDetached } from '../../cap/context.ts'
import { decryptText, encryptText, keyRing } from './key-ring.ts'
import { Secrets, readAs } from '../entities.ts'

type SecretName = 'client_secret' | 'consent' | 'tokens'

interface Secret {
  text: string
  /** The number of changes. */
  version: number
}

interface SecretRow {
  source_ID: number
  name: SecretName
  keyId: string
  sealed: string
  version: number
}

/** A changed secret has no lease. */
const NO_LEASE = { owner: null, leaseUntil: null }

const contextOf = (source: number, name: SecretName) => `restock source ${source} ${name}`

/** A text encrypted with the current key, as columns. */
function sealFor(source: number, name: SecretName, text: string) {
  const { present } = keyRing()
  return { keyId: present.id, sealed: encryptText(present, contextOf(source, name), text) }
}

/** Encrypts a text with the present key, to be stored in another row. @param context what the text belongs to */
export function sealText(context: string, text: string): string {
  const { present } = keyRing()
  return `${present.id}:${encryptText(present, context, text)}`
}

/** Whether a text was encrypted with the present key. */
export const isSealedByPresent = (text: string) => text.startsWith(`${keyRing().present.id}:`)

/** @returns null if no known key decrypts it */
export function openText(context: string, text: string): string | null {
  const [keyId = '', sealed = ''] = text.split(':')
  const key = keyRing().all.get(keyId)
  return key ? decryptText(key, context, sealed) : null
}

/** Stores a secret whatever was there before, in the caller's transaction. */
export async function storeSecret(source: number, name: SecretName, text: string) {
  const sealed = sealFor(source, name, text)
  const changed: unknown = await UPDATE.entity(Secrets)
    .set({ ...sealed, version: { '+=': 1 }, ...NO_LEASE })
    .where({ source_ID: source, name })
  if (changed) return
  await INSERT.into(Secrets).entries({ source_ID: source, name, ...sealed, version: 1 })
}

/**
 * Stores a secret only if the one of this version is still there, and releases the lease on it.
 * @returns whether it was
 */
export async function replaceSecret(
  source: number,
  name: SecretName,
  text: string,
  version: number,
): Promise<boolean> {
  const changed: unknown = await UPDATE.entity(Secrets)
    .set({ ...sealFor(source, name, text), version: version + 1, ...NO_LEASE })
    .where({ source_ID: source, name, version })
  return changed === 1
}

/**
 * @returns null where there is none
 * @throws Fatal `secret_unreadable` where no key that is known opens it
 */
export async function readSecret(source: number, name: SecretName): Promise<Secret | null> {
  const row = await readAs<SecretRow>(SELECT.one.from(Secrets).where({ source_ID: source, name }))
  if (!row) return null
  const text = openSecret(row)
  if (row.keyId !== keyRing().present.id) await resealSecret(row, text)
  return { text, version: row.version }
}

function openSecret({ source_ID: source, name, keyId, sealed }: SecretRow): string {
  const key = keyRing().all.get(keyId)
  try {
    if (key) return decryptText(key, contextOf(source, name), sealed)
  } catch {
    // It is treated like an unknown key: the reason is not told.
  }
  throw new Fatal(
    'secret_unreadable',
    `The stored ${name} of src_${source} cannot be decrypted: is the encryption key the one it was ` +
      'stored with, or listed as a previous one? Else connect the source again.',
  )
}

/** Encrypts a secret with the current key; a secret changed in the meantime has it already. */
async function resealSecret({ source_ID: source, name, keyId, version }: SecretRow, text: string) {
  await UPDATE.entity(Secrets)
    .set(sealFor(source, name, text))
    .where({ source_ID: source, name, keyId, version })
}

/**
 * Encrypts every secret with the current key, after which the previous keys can be removed.
 * @returns how many were changed, and how many no known key decrypts
 */
export async function resealAll(): Promise<{ changed: number; unreadable: number }> {
  const { present, all } = keyRing()
  const rows = await readAs<SecretRow>(SELECT.from(Secrets).where({ keyId: { '<>': present.id } }))
  const readable = rows.filter(({ keyId }) => all.has(keyId))
  for (const row of readable) await resealSecret(row, openSecret(row))
  return { changed: readable.length, unreadable: rows.length - readable.length }
}

/** The same after a change of the key, at the start. An error is logged and not thrown. */
export async function resealSourcesAtStart() {
  const LOG = cds.log('sources')
  try {
    const { changed, unreadable } = await runDetached('encryption key', resealAll)
    if (changed) LOG.info(`${changed} secrets are now encrypted with the current key`)
    if (unreadable)
      LOG.warn(
        `${unreadable} secrets are encrypted with an unknown key: add it to RESTOCK_ENCRYPTION_KEY_PREVIOUS`,
      )
  } catch (error) {
    LOG.error('secrets could not be encrypted with the current key:', (error as Error).message)
  }
}

/** Deletes the named secrets of a source, or all of them. */
export async function wipeSecrets(source: number, ...names: SecretName[]) {
  await DELETE.from(Secrets).where({
    source_ID: source,
    ...(names.length ? { name: { in: names } } : {}),
  })
}
