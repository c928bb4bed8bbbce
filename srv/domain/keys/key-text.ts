import { hash, randomBytes } from 'node:crypto'

export const SCOPES = [
  'forecasts:read',
  'proposals:read',
  'proposals:decide',
  'policies:manage',
  'sources:manage',
  'sync:run',
  'keys:manage',
  'webhooks:manage',
  'audit:read',
] as const

/** A right that a key may carry; docs/reference/api.md says what each opens. */
export type Scope = (typeof SCOPES)[number]

// The text of a key: rsk_<id>_<secret>. The id is public, of the secret only a hash is kept.

interface KeyText {
  id: string
  secret: string
}

export const newKeyText = (): KeyText => ({
  id: randomBytes(8).toString('hex'),
  secret: randomBytes(32).toString('base64url'),
})

export const toKey = ({ id, secret }: KeyText) => `rsk_${id}_${secret}`

/** SHA-256, hex. The secret is 256 random bits, so that no slow hash is needed. */
export const hashSecret = (secret: string) => hash('sha256', secret)

const BEARER = /^bearer +rsk_([0-9a-f]{16})_([\w-]{43})$/i

/** The key in an Authorization header, undefined where it holds none of ours. */
export function fromHeader(authorization: string | undefined): KeyText | undefined {
  const match = BEARER.exec(authorization ?? '')
  return match ? { id: match[1]!, secret: match[2]! } : undefined
}
