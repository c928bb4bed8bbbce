// The head bears an HMAC, whose key the key ring encrypts: whoever can only write to the database cannot make one.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { isSealedByPresent, openText, sealText } from '../../base/database/secrets/vault.ts'

/** The last sealed entry, and what proves that the service sealed it. */
export interface Head {
  seq: number
  hash: string
  sealedAt: string | null
  /** HMAC of `seq:hash`. */
  seal: string | null
  sealKey: string | null
}

export type Place = Pick<Head, 'seq' | 'hash'>

export const textOf = ({ seq, hash }: Place) => `${seq}:${hash}`

const PLACE = 'restock audit trail'

/** A new random key, encrypted. */
export const newSealKey = () => sealText(PLACE, randomBytes(32).toString('base64'))

/** The same key under the present key of the ring; null where it is already, or no known key opens it. */
export function rewrapped(sealKey: string): string | null {
  if (isSealedByPresent(sealKey)) return null
  const key = openSealKey(sealKey)
  return key && sealText(PLACE, key.toString('base64'))
}

let opened: { sealKey: string; key: Buffer } | undefined

/** Null where no known key of the ring opens it. */
export function openSealKey(sealKey: string): Buffer | null {
  if (opened?.sealKey !== sealKey) {
    const text = tryToOpen(sealKey)
    if (text === null) return null
    opened = { sealKey, key: Buffer.from(text, 'base64') }
  }
  return opened.key
}

function tryToOpen(sealKey: string): string | null {
  try {
    return openText(PLACE, sealKey)
  } catch {
    return null // Another place, or a changed bit.
  }
}

export function sealFaultOf(head: Head): 'head_changed' | 'head_key_unknown' | null {
  if (!head.sealKey) return 'head_changed'
  const key = openSealKey(head.sealKey)
  if (!key) return 'head_key_unknown'
  return isMacOf(key, textOf(head), head.seal) ? null : 'head_changed'
}

/** HMAC-SHA-256 (RFC 2104), hex. */
export const macOf = (key: Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest('hex')

export function isMacOf(key: Buffer, text: string, mac: string | null): boolean {
  const [expected, given] = [Buffer.from(macOf(key, text)), Buffer.from(mac ?? '')]
  return expected.length === given.length && timingSafeEqual(expected, given)
}
