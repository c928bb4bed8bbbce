// What opens a source, kept encrypted. Only what speaks to the source's own ERP asks for it.
import cds from '@sap/cds'
import { Fatal } from '../../../adapters/errors.ts'
import { keyRing } from './key-ring.ts'
import { open, seal } from './seal.ts'
import { Secrets, readAs } from '../entities.ts'

const { DELETE, INSERT, SELECT, UPDATE } = cds.ql

export type SecretName = 'client_secret' | 'consent' | 'tokens'

export interface Secret {
  text: string
  /** Grows with each change. */
  version: number
}

interface Row {
  source_ID: number
  name: SecretName
  keyId: string
  sealed: string
  version: number
}

/** A secret that was changed belongs to nobody. */
const NOT_HELD = { owner: null, leaseUntil: null }

const placeOf = (source: number, name: SecretName) => `restock source ${source} ${name}`

/** Text sealed by the present key, as the columns that hold it. */
function sealedFor(source: number, name: SecretName, text: string) {
  const { present } = keyRing()
  return { keyId: present.id, sealed: seal(present, placeOf(source, name), text) }
}

/** A text that another row holds, sealed by the present key; `place` is what it belongs to. */
export function sealText(place: string, text: string): string {
  const { present } = keyRing()
  return `${present.id}:${seal(present, place, text)}`
}

/** Null where no key that is known opens it. */
export function openText(place: string, text: string): string | null {
  const [keyId = '', sealed = ''] = text.split(':')
  const key = keyRing().all.get(keyId)
  return key ? open(key, place, sealed) : null
}

/** Stores a secret whatever was there before, in the caller's transaction. */
export async function storeSecret(source: number, name: SecretName, text: string) {
  const sealed = sealedFor(source, name, text)
  const changed: unknown = await UPDATE.entity(Secrets)
    .set({ ...sealed, version: { '+=': 1 }, ...NOT_HELD })
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
    .set({ ...sealedFor(source, name, text), version: version + 1, ...NOT_HELD })
    .where({ source_ID: source, name, version })
  return changed === 1
}

/**
 * @returns null where there is none
 * @throws Fatal `secret_unreadable` where no key that is known opens it
 */
export async function readSecret(source: number, name: SecretName): Promise<Secret | null> {
  const row = await readAs<Row>(SELECT.one.from(Secrets).where({ source_ID: source, name }))
  if (!row) return null
  const text = opened(row)
  if (row.keyId !== keyRing().present.id) await reseal(row, text)
  return { text, version: row.version }
}

function opened({ source_ID: source, name, keyId, sealed }: Row): string {
  const key = keyRing().all.get(keyId)
  try {
    if (key) return open(key, placeOf(source, name), sealed)
  } catch {
    // As with a key that is not there: nothing is told of why.
  }
  throw new Fatal(
    'secret_unreadable',
    `The stored ${name} of src_${source} cannot be decrypted: is the encryption key the one it was ` +
      'stored with, or listed as a previous one? Else connect the source again.',
  )
}

/** The same secret under the present key; one that was changed meanwhile is under it already. */
async function reseal({ source_ID: source, name, keyId, version }: Row, text: string) {
  await UPDATE.entity(Secrets)
    .set(sealedFor(source, name, text))
    .where({ source_ID: source, name, keyId, version })
}

/**
 * Puts every secret under the present key, after which the previous ones can be dropped.
 * @returns how many were changed, and how many no known key opens
 */
export async function resealAll(): Promise<{ changed: number; unreadable: number }> {
  const { present, all } = keyRing()
  const rows = await readAs<Row>(SELECT.from(Secrets).where({ keyId: { '<>': present.id } }))
  const readable = rows.filter(({ keyId }) => all.has(keyId))
  for (const row of readable) await reseal(row, opened(row))
  return { changed: readable.length, unreadable: rows.length - readable.length }
}

/** Forgets these secrets of a source, all of them unless named. */
export async function wipeSecrets(source: number, ...names: SecretName[]) {
  await DELETE.from(Secrets).where({
    source_ID: source,
    ...(names.length ? { name: { in: names } } : {}),
  })
}
