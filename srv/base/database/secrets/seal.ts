import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** A key of 32 bytes, and the id that is stored with the texts that it encrypts. */
export interface SealingKey {
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
